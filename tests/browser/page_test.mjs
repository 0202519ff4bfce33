// What a person does on the page, in Chromium: page_test.mjs ONE SEVERAL [FOLDER_FOR_SCREENSHOTS]
// The addresses of servers from ko to en, and from ko to en, en to ko and en to de.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import process from 'node:process';
import {check, end} from './checks.mjs';

const [one, several, folder] = process.argv.slice(2);
const LIBRARY = '저는 도서관에서 책을 읽었어요.';
const SCHOOL = '우리는 학교에 갔어요.';
const tests = [];
const test = (name, run, options = {}) => tests.push({name, run, options});

async function type(page, text) {
  await page.locator('#source').pressSequentially(text, {delay: 5});
  await page.waitForFunction(() => document.querySelector('.word') && !document.querySelector('#target.stale'));
}
const target = page => page.locator('#target').innerText();
const word = (page, text) => page.locator('.word', {hasText: text}).first();
const becomes = (page, text) => page.waitForFunction(
    wanted => document.querySelector('#target').innerText === wanted, text, {timeout: 10000});
const picture = async (page, name) => folder && page.screenshot({path: `${folder}/${name}.png`});

test('the translation appears as one types and goes when the text goes', async page => {
  await type(page, `${LIBRARY} ${SCHOOL}`);
  await becomes(page, 'I read a book in the library. We went to the school.');
  await page.locator('#clear').click();
  await becomes(page, 'The translation appears as you type.');
});

test('a stale answer never replaces a newer one', async page => {
  let first = true;
  await page.route('**/v1/translate', async route => {
    if (!first) return route.continue();
    first = false;
    await new Promise(done => setTimeout(done, 1500));
    await route.continue().catch(() => {});
  });
  await page.locator('#source').fill(SCHOOL);
  await page.waitForTimeout(300);
  await page.locator('#source').fill(LIBRARY);
  await becomes(page, 'I read a book in the library.');
  await page.waitForTimeout(1700);
  assert.equal(await target(page), 'I read a book in the library.');
});

test('pointing at a word shades what it attends to, in the text and in the matrix', async page => {
  await type(page, `${LIBRARY} ${SCHOOL}`);
  await word(page, 'book').hover();
  assert.deepEqual(await page.locator('#backdrop mark').allInnerTexts(), ['책을']);
  await page.locator('#matrix-toggle').click();
  await word(page, 'book').hover();
  assert.equal(await page.locator('#attention tr.lit th').innerText(), 'book');
  await word(page, 'library').hover();
  await picture(page, 'page');
  await word(page, 'school').hover();
  assert.ok((await page.locator('#attention thead').innerText()).includes('학교에'));
}, {viewport: {width: 1080, height: 860}});

test('a translation without attention has a line in place of the matrix', async page => {
  await page.route('**/v1/translate', async route => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const sentence of answer.sentences) sentence.candidates[0].word_attention = [];
    await route.fulfill({response, json: answer});
  });
  await type(page, LIBRARY);
  await page.locator('#matrix-toggle').click();
  await word(page, 'book').hover();
  assert.equal(await page.locator('#no-attention').innerText(), 'Nothing to show.');
});

test('a click on a word offers others and takes the one that is chosen', async page => {
  await type(page, LIBRARY);
  await word(page, 'book').click();
  await page.locator('#alternatives button').first().waitFor();
  const other = page.locator('#alternatives button').nth(1);
  const whole = await other.locator('.whole').innerText();
  await picture(page, 'alternatives');
  await other.click();
  await becomes(page, whole);
});

test('all of it works by keyboard', async page => {
  await type(page, LIBRARY);
  await page.keyboard.press('Tab');  // to Open file
  await page.keyboard.press('Tab');  // to Clear
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'I');
  assert.ok((await page.locator('#backdrop mark').allInnerTexts()).includes('저는'));
  for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('#alternatives button').first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'book');
  await page.keyboard.press('Enter');
  await page.locator('#alternatives button').first().waitFor();
  const whole = await page.locator('#alternatives .whole').nth(1).innerText();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await becomes(page, whole);
});

test('what one writes into the translation stays, and the rest completes itself', async page => {
  await type(page, `${LIBRARY} ${SCHOOL}`);
  await word(page, 'read').focus();
  await page.keyboard.press('F2');
  const editor = page.locator('.editor');
  await editor.evaluate(box => box.setSelectionRange(2, 2));
  await page.keyboard.type('bought');
  await page.waitForFunction(() => document.querySelector('.editor').value === 'I bought a book in the library.');
  assert.equal(await editor.evaluate(box => box.selectionStart), 'I bought'.length);
  await page.keyboard.press('Enter');
  await becomes(page, 'I bought a book in the library. We went to the school.');
  await page.locator('#edit').click();
  await page.keyboard.type(' ☃');
  await page.locator('#problem').waitFor();
  assert.match(await page.locator('#problem').innerText(), /☃/);
  await page.keyboard.press('Escape');
  await becomes(page, 'I bought a book in the library. We went to the school.');
});

/** Holds back the answers to the path until the returned function is called. */
async function hold(page, path) {
  let release;
  const released = new Promise(done => { release = done; });
  await page.route(path, async route => {
    await released;
    await route.continue().catch(() => {});  // the page may have left
  });
  return release;
}
const focused = page => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);

test('alternatives that are awaited are dropped by Escape, a click and the focus elsewhere', async page => {
  await page.locator('#source').fill(LIBRARY);
  await becomes(page, 'I read a book in the library.');
  const release = await hold(page, '**/v1/alternatives');
  const leave = {
    book: () => page.keyboard.press('Escape'),
    a: () => page.keyboard.press('ArrowLeft'),
    source: () => page.locator('#source').click(),
  };
  for (const [place, act] of Object.entries(leave)) {
    await word(page, 'book').click();
    await page.locator('[aria-expanded]').waitFor();
    await act();
    assert.equal(await page.locator('[aria-expanded]').count(), 0);
    assert.equal(await focused(page), place);
  }
  release();
  await page.waitForTimeout(500);
  assert.equal(await page.locator('#alternatives').isVisible(), false);
  await page.route('**/v1/alternatives', route => route.abort());
  await word(page, 'book').click();
  await page.locator('#problem', {hasText: 'cannot be reached'}).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#problem').isVisible(), false);
});

async function fillTwo(page) {
  await page.locator('#source').fill(`저는 책을 읽어요. ${SCHOOL}`);
  await becomes(page, 'I read a book. We went to the school.');
}

/** Adds to the first sentence of two, then presses elsewhere. */
async function leaveEditor(page, press) {
  await fillTwo(page);
  const release = await hold(page, '**/v1/translate');  // the rest does not complete itself
  await page.locator('#edit').click();
  await page.keyboard.type(' Yes.');
  await press();
  release();
  await becomes(page, 'I read a book. Yes. We went to the school.');
}

test('who leaves the editor by a press on the text writes there', async page => {
  await leaveEditor(page, () => page.locator('#source').click());
  assert.equal(await focused(page), 'source');
});

test('who leaves the editor by a press on a word gets its alternatives', async page => {
  await leaveEditor(page, () => word(page, 'school').click());
  await page.locator('#alternatives button').first().waitFor();
});

test('who leaves the editor by a tap on a word of a phone gets its alternatives', async page => {
  await leaveEditor(page, () => word(page, 'school').tap());
  await page.locator('#alternatives button').first().waitFor();
}, {viewport: {width: 390, height: 760}, hasTouch: true, isMobile: true});

test('a chosen alternative and an edit of another sentence both stay', async page => {
  await fillTwo(page);
  const release = await hold(page, '**/v1/translate');
  await word(page, 'book').click();
  const other = page.locator('#alternatives button').nth(1);
  await other.waitFor();
  const whole = await other.locator('.whole').innerText();
  await other.click();
  await word(page, 'school').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('zz');
  release();
  await page.waitForTimeout(500);
  assert.equal(await page.locator('.editor').evaluate(box => box === document.activeElement), true);
  await page.keyboard.press('Enter');
  const text = await target(page);
  assert.ok(text.startsWith(`${whole} We went to the school.zz`), text);
});

test('an edit of an old text does not replace the translation of a new one', async page => {
  await type(page, LIBRARY);
  await page.route('**/v1/translate', async route => {
    if (route.request().postDataJSON().prefix) await new Promise(done => setTimeout(done, 1000));
    await route.continue().catch(() => {});
  });
  await word(page, 'read').click();
  await page.locator('#alternatives button').nth(1).click();
  await page.locator('#source').fill(SCHOOL);
  await becomes(page, 'We went to the school.');
  await page.waitForTimeout(1200);
  assert.equal(await target(page), 'We went to the school.');
});

test('errors are shown for what they are', async page => {
  await type(page, LIBRARY);
  await page.locator('#source').fill('가'.repeat(501));
  assert.match(await page.locator('#problem').innerText(), /too long: at most 500/);
  await page.route('**/v1/translate', route => route.abort());
  await page.locator('#source').fill(SCHOOL);
  await page.locator('#problem', {hasText: 'cannot be reached'}).waitFor();
  await picture(page, 'away');
  await page.unroute('**/v1/translate');
  let busy = true;
  await page.route('**/v1/translate', route => {
    if (!busy) return route.continue();
    busy = false;
    return route.fulfill({status: 503, headers: {'Retry-After': '1'}, body: '{"error": "busy"}'});
  });
  await page.locator('#problem', {hasText: 'busy'}).waitFor();
  await becomes(page, 'We went to the school.');
  assert.equal(await page.locator('#problem').isVisible(), false);
});

test('it is Korean for who reads Korean, dark for who likes that, and fits a phone', async page => {
  await type(page, LIBRARY);
  assert.equal(await page.locator('h2').first().innerText(), '원문');
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(sizes[0] <= sizes[1], `wider than the screen: ${sizes}`);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, 'rgb(20, 23, 28)');
  await word(page, 'book').tap();
  await page.locator('#alternatives button').first().waitFor();
  const [menu, chosen] = [await page.locator('#alternatives').boundingBox(), await word(page, 'book').boundingBox()];
  assert.ok(chosen.y >= 0 && chosen.y + chosen.height <= menu.y, 'the menu covers the word');
  await picture(page, 'phone');
  await page.keyboard.press('Escape');
  await page.locator('#switch-language').tap();
  assert.equal(await page.locator('h2').first().innerText(), 'Text');
  assert.equal(await target(page), 'I read a book in the library.');
}, {locale: 'ko-KR', colorScheme: 'dark', viewport: {width: 390, height: 760}, hasTouch: true, isMobile: true});

test('text and languages live in the address and survive a reload', async page => {
  await page.locator('#direction').waitFor();
  await page.locator('#source-language').selectOption('ko');
  await page.locator('#target-language').selectOption('de');
  await page.locator('#source').fill(`${SCHOOL}\n#&=%`);
  await page.reload();  // at once
  await page.locator('.word').first().waitFor();
  assert.equal(await page.locator('#source').inputValue(), `${SCHOOL}\n#&=%`);
  assert.equal(await page.locator('#target-language').inputValue(), 'de');
  const parts = new URLSearchParams(new URL(page.url()).hash.slice(1));
  assert.deepEqual([...parts], [['source', 'ko'], ['target', 'de'], ['text', `${SCHOOL}\n#&=%`]]);
  await page.evaluate(text => { location.hash = `#source=ko&target=en&text=${encodeURIComponent(text)}`; }, LIBRARY);
  await becomes(page, 'I read a book in the library.');
  await page.evaluate(() => { location.hash = '#source=xyz&target=abc&text='; });  // languages that are not there
  await becomes(page, 'The translation appears as you type.');
  assert.equal(await page.locator('#target-language').inputValue(), 'en');
}, {server: several});

test('the page works under a path of a proxy', async page => {
  await page.route(/\/nmt\//, route => route.continue({url: route.request().url().replace('/nmt/', '/')}));
  await page.goto(`${one}/nmt/`);
  await page.locator('#source').fill(LIBRARY);
  await becomes(page, 'I read a book in the library.');
});

test('examples are offered while there is no text', async page => {
  await page.locator('.example', {hasText: LIBRARY}).click();
  await becomes(page, 'I read a book in the library.');
  assert.equal(await page.locator('#examples').isVisible(), false);
  await page.locator('#clear').click();
  assert.equal(await page.locator('.example').count(), 2);
});

/** Drops a file on the page, or several of the same content. */
const drop = (page, names, content) => page.evaluate(([names, content]) => {
  const dataTransfer = new DataTransfer();
  for (const name of names) {
    dataTransfer.items.add(new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
  }
  for (const type of ['dragenter', 'drop']) {
    document.querySelector('#source').dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
  }
}, [[names].flat(), content]);

test('a file that is dropped or opened is translated', async page => {
  await page.locator('.example').first().waitFor();
  await drop(page, 'school.txt', SCHOOL);
  await becomes(page, 'We went to the school.');
  assert.equal(await page.locator('#drop').isVisible(), false);
  await drop(page, 'picture.png', [0x89, 0x50, 0x4e, 0x47, 0xff]);
  await page.locator('#problem', {hasText: 'picture.png: neither a text file'}).waitFor();
  await page.locator('#chosen-file').setInputFiles({name: 'a.text', mimeType: 'text/plain', buffer: Buffer.from(LIBRARY)});
  await becomes(page, 'I read a book in the library.');
  for (const name of ['large.txt', 'large.docx']) {
    await drop(page, name, 'a'.repeat(2 << 20));
    await page.locator('#problem', {hasText: 'at most 1,048,576 bytes'}).waitFor();
    await drop(page, 'school.txt', SCHOOL);
    await page.locator('#problem').waitFor({state: 'hidden'});
  }
  // A translation that comes late would hide the next message.
  await drop(page, 'library.txt', LIBRARY);
  await becomes(page, 'I read a book in the library.');
  await drop(page, 'school.txt', SCHOOL);
  await becomes(page, 'We went to the school.');
  await drop(page, ['a.txt', 'b.txt'], LIBRARY);
  await page.locator('#problem', {hasText: 'Only one file'}).waitFor();
  assert.equal(await page.locator('#source').inputValue(), SCHOOL);
});

test('a file of another format comes back as a file', async page => {
  await page.locator('.example').first().waitFor();
  await drop(page, 'school.html', `<p>우리는 <b>학교에</b> 갔어요.</p>`);
  const link = page.locator('#file a', {hasText: 'Download school.html'});
  const download = page.waitForEvent('download');
  await link.click();
  const text = readFileSync(await (await download).path(), 'utf8');
  assert.match(text, /We went to (<b>)?the (<b>)?school/);
  await page.route('**/download_file/*', route => route.fulfill({status: 404, json: {error: 'no such file'}}));
  await link.click();
  await page.locator('#problem', {hasText: 'school.html: the translation is no longer on the server'}).waitFor();
  assert.equal(await link.isVisible(), false);
  await drop(page, 'letter.docx', 'PK');
  await page.locator('#problem', {hasText: 'Translation failed'}).waitFor();
  assert.equal(await link.isVisible(), false);
});

test('a file gives way to the next one and to a text', async page => {
  await page.locator('.example').first().waitFor();
  const requests = [];
  await page.route('**/translate_file', route => { requests.push(route); });
  const dropSlow = async name => {
    const before = requests.length;
    await drop(page, name, `<p>${SCHOOL}</p>`);
    while (requests.length === before) await page.waitForTimeout(10);
    const answer = {translatedFileUrl: `http://proxy.invalid/download_file/${name}`};
    return () => requests[before].fulfill({json: answer}).catch(() => {});  // the page may have left
  };
  const links = page.locator('#file a');
  const finishFirst = await dropSlow('first.html');
  const finishSecond = await dropSlow('second.html');
  await finishSecond();
  await links.waitFor();
  await finishFirst();
  await page.waitForTimeout(200);
  assert.deepEqual(await links.allInnerTexts(), ['Download second.html']);
  assert.equal(await links.getAttribute('href'), 'download_file/second.html');
  const finishThird = await dropSlow('third.html');
  await drop(page, 'school.txt', SCHOOL);
  await becomes(page, 'We went to the school.');
  await finishThird();
  await page.waitForTimeout(200);
  assert.equal(await links.count(), 0);
  const finishFourth = await dropSlow('fourth.html');
  await finishFourth();
  await links.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'source');
});

test("a proxy's own errors are shown, and a file is sent three times at most", async page => {
  await page.locator('.example').first().waitFor();
  let status = 413, uploads = 0;
  const fail = route => { ++uploads; return route.fulfill({status, contentType: 'text/html', body: '<html>no</html>'}); };
  await page.route('**/translate_file', fail);
  await page.route('**/v1/translate', fail);
  for (status of [413, 504]) {
    await drop(page, 'school.html', SCHOOL);
    await page.locator('#problem', {hasText: `Translation failed: ${status}`}).waitFor();
    assert.equal(await page.locator('#file').innerText(), '');
  }
  await Promise.all([page.waitForResponse('**/v1/translate'), page.locator('#source').fill(SCHOOL)]);
  await page.locator('#problem', {hasText: 'Translation failed: 504'}).waitFor();
  assert.equal(uploads, 3);
  [status, uploads] = [503, 0];
  await drop(page, 'school.html', SCHOOL);
  await page.locator('#problem', {hasText: 'busy'}).waitFor();
  await page.locator('#problem', {hasText: 'Translation failed: 503'}).waitFor();
  assert.equal(uploads, 3);
});

test('the translation is copied without HTTPS too', async page => {
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {value: undefined}));
  await type(page, LIBRARY);
  await page.locator('#copy').click();
  await page.locator('#status', {hasText: 'Copied'}).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'copy');
  await page.locator('#clear').click();
  await page.keyboard.press('Control+V');
  assert.equal(await page.locator('#source').inputValue(), 'I read a book in the library.');
});

test('each limit is explained for what it is', async page => {
  const refusals = {
    '1001 sentences exceed the limit of 500': /too many sentences: at most 500/,
    '600 characters exceed the text limit of 500': /too long: at most 500 characters/,
    'the body is too long': /too large: at most 1,048,576 bytes/,
    '900 characters exceed the limit of 800 per minute': /exceed the limit of 800 per minute/,
  };
  let refusal;
  await page.route('**/v1/translate', route => route.fulfill({status: 413, json: {error: `Invalid request: ${refusal}`}}));
  await page.locator('.example').first().waitFor();
  for (const [error, explanation] of Object.entries(refusals)) {
    refusal = error;
    await page.locator('#source').fill('');
    await page.locator('#source').fill(SCHOOL);
    await page.locator('#problem').waitFor();
    assert.match(await page.locator('#problem').innerText(), explanation);
    assert.equal(await target(page), '');
  }
});

test('no old translation stands beside new text', async page => {
  await type(page, LIBRARY);
  let answer;
  await page.route('**/v1/translate', async route => {
    await new Promise(done => { answer = done; });
    await route.continue();
  });
  await page.locator('#source').fill(SCHOOL);
  assert.ok(await page.locator('#copy').isDisabled());
  await becomes(page, 'Translating…');
  answer();
  await becomes(page, 'We went to the school.');
});

test('the key is remembered, and can be changed', async page => {
  const keys = [];
  await page.route('**/v1/info', async route => {
    const response = await route.fetch();
    await route.fulfill({response, json: {...await response.json(), api_key: true}});
  });
  await page.route('**/v1/translate', route => {
    const key = route.request().headers().authorization || '';
    keys.push(key);
    return key === 'Bearer right' ? route.continue() : route.fulfill({status: 403, json: {error: 'Invalid API key'}});
  });
  await page.reload();
  await page.locator('#source').fill(LIBRARY);
  await page.locator('#problem', {hasText: 'requires an API key'}).waitFor();
  for (const wrong of ['wrong', 'nmt_9d0c…']) {
    await page.locator('#key').fill(wrong);
    await page.keyboard.press('Enter');
    await page.locator('#problem', {hasText: 'not valid'}).waitFor();
  }
  await page.reload();
  await page.locator('#problem', {hasText: 'not valid'}).waitFor();
  await page.locator('#key').fill('right');
  await page.keyboard.press('Enter');
  await becomes(page, 'I read a book in the library.');
  await page.reload();
  await becomes(page, 'I read a book in the library.');
  assert.equal(await page.locator('#key-form').isVisible(), false);
  assert.equal(keys.at(-1), 'Bearer right');
  await page.locator('#key-toggle').click();
  assert.equal(await page.locator('#key').inputValue(), 'right');
});

test('what the model does not know is marked, whatever its confidence', async page => {
  await type(page, 'asdf qwer zxcv');
  await page.locator('.unsure').waitFor();
  assert.match(await page.locator('#warnings').innerText(), /marked with \? may be wrong[^]*script that the model does not know/);
  assert.doesNotMatch(await page.locator('#status').innerText(), /confidence/);
  await page.locator('#source').fill('양자역학의 불확정성 원리는 철학적으로도 흥미롭다.');
  await page.locator('#status', {hasText: 'confidence 0'}).waitFor();
  assert.equal(await page.locator('.unsure').count(), 1);
  assert.match(await page.locator('#warnings').innerText(), /marked with \? may be wrong/);
});

test('text that is written from right to left begins on the right', async page => {
  await page.route('**/v1/translate', async route => {
    const response = await route.fetch();
    const words = JSON.stringify(await response.json()).replaceAll('"I"', '"אני"').replaceAll('"book."', '"ספר."');
    await route.fulfill({response, body: words});
  });
  await type(page, `저는 책을 읽어요. ${SCHOOL}`);
  const left = async text => (await word(page, text).boundingBox()).x;
  assert.ok(await left('אני') > await left('ספר'));
  assert.ok(await left('ספר') > await left('school'));
  assert.ok(await left('school') > await left('We'));  // its own sentence's direction
  assert.equal(await page.locator('#source').evaluate(box => getComputedStyle(box).unicodeBidi), 'plaintext');
});

test('without JavaScript, the page says that it needs it', async page => {
  assert.match(await page.locator('noscript').innerText(), /needs JavaScript/);
}, {javaScriptEnabled: false});

test('hints are for fingers where there is no pointer', async page => {
  assert.match(await page.locator('#hint').innerText(), /^Tap a word/);
}, {viewport: {width: 390, height: 760}, hasTouch: true, isMobile: true});

const choices = (page, name) => page.locator(`#${name} option`).allInnerTexts();

test('one direction is shown without a choice', async page => {
  await page.locator('#direction').waitFor();
  assert.deepEqual(await choices(page, 'source-language'), ['Korean']);
  assert.deepEqual(await choices(page, 'target-language'), ['English']);
  for (const name of ['source-language', 'target-language', 'swap']) {
    assert.ok(await page.locator(`#${name}`).isDisabled());
  }
});

test('languages are chosen and swapped, and a third one leads to the rest', async page => {
  await page.locator('#direction').waitFor();
  assert.deepEqual(await choices(page, 'source-language'), ['Detect language', 'Korean', 'English']);
  assert.deepEqual(await choices(page, 'target-language'), ['English', 'German']);
  await type(page, LIBRARY);
  await page.locator('#target-language').selectOption('de');
  await page.locator('#status', {hasText: 'via English'}).waitFor();
  await word(page, (await target(page)).split(' ')[0]).click();  // alternatives of the second translation
  await page.locator('#alternatives button').first().waitFor();
  assert.equal(await page.locator('#backdrop mark').count(), 0);
  assert.equal(await page.locator('#problem').isVisible(), false);
  await page.keyboard.press('Escape');
  await page.locator('#target-language').selectOption('en');
  await becomes(page, 'I read a book in the library.');
  await picture(page, 'directions');
  await page.locator('#swap').click();
  assert.equal(await page.locator('#source').inputValue(), 'I read a book in the library.');
  assert.equal(await page.locator('#source-language').inputValue(), 'en');
  assert.equal(await page.locator('#target-language').inputValue(), 'ko');
}, {server: several});

test('the language of the text is detected, and shown', async page => {
  const asked = new Set();
  await page.route('**/v1/translate', async route => {  // the models' vocabularies are not of their languages
    const question = route.request().postDataJSON();
    asked.add(question.source);
    const response = await route.fetch({postData: JSON.stringify({...question, source: 'ko'})});
    await route.fulfill({response, json: {...await response.json(), source: 'ko'}});
  });
  await page.locator('#source-language').selectOption('auto');
  await type(page, LIBRARY);
  await becomes(page, 'I read a book in the library.');
  assert.equal((await choices(page, 'source-language'))[0], 'Korean (detected)');
  await word(page, 'book').click();
  await page.locator('#alternatives button').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#clear').click();
  assert.equal((await choices(page, 'source-language'))[0], 'Detect language');
  assert.deepEqual([...asked], ['auto']);
}, {server: several});

test('the choice of languages fits a phone', async page => {
  await page.locator('#direction').waitFor();
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(sizes[0] <= sizes[1], `wider than the screen: ${sizes}`);
  await picture(page, 'directions-phone');
}, {server: several, locale: 'ko-KR', viewport: {width: 390, height: 760}, hasTouch: true, isMobile: true});

for (const {name, run, options} of tests) {
  const {server: address = one, ...settings} = options;
  await check(name, settings, async page => {
    const errors = [];
    page.on('pageerror', error => errors.push(error.message));
    page.on('request', request => request.url().startsWith(address) || request.url().startsWith('data:') ||
        errors.push(`asks elsewhere: ${request.url()}`));
    await page.goto(address);
    await run(page);
    assert.deepEqual(errors, []);
  }, (page, number) => picture(page, `failed-${number}`));
}
await end();
