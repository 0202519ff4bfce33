// How every page looks, in Chromium: looks_test.mjs FOLDER_FOR_SCREENSHOTS NAME=ADDRESS...
// Each page is opened at the width of a desk and of a phone, light and dark. axe finds nothing to object to, nothing is
// wider than the screen, no text is smaller than 11 pixels, and no two labels of a drawing of attention overlap. On paper,
// text is dark on light in both schemes, nothing is cut off, and nothing is left that can only be pressed.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import process from 'node:process';
import {check, end} from './checks.mjs';

const axe = readFileSync(process.env.AXE, 'utf8');
const [folder, ...pages] = process.argv.slice(2);
const LEAST_TEXT = 11;  // pixels
const PAPER = {width: 718, height: 1047};  // pixels: A4 without margins of a centimetre

// What the server's page shows besides its empty state.
const LIBRARY = '저는 도서관에서 책을 읽었어요.';
const type = async page => {
  await page.locator('#source').fill(LIBRARY);
  await page.locator('.word').first().waitFor();
};
const STATES = {
  empty: async () => {},
  translated: async page => {
    await type(page);
    await page.locator('#matrix-toggle').click();
    await page.locator('#attention table').waitFor();
  },
  alternatives: async page => {
    await type(page);
    await page.locator('.word', {hasText: 'book'}).click();
    await page.locator('#alternatives button').first().waitFor();
  },
  edited: async page => {
    await type(page);
    await page.locator('#edit').click();
  },
  unsure: async page => {
    await page.locator('#source').fill('asdf qwer zxcv');
    await page.locator('.unsure').waitFor();
  },
  refused: async page => {
    await page.route('**/v1/translate', route => route.fulfill({status: 403, body: '{"error": "key"}'}));
    await page.locator('#source').fill(LIBRARY.repeat(16));  // higher than the least height of the field
    await page.locator('#problem').waitFor();
  },
  file: async page => {
    await page.locator('.example').first().waitFor();
    const file = {name: 'library.html', mimeType: 'text/html', buffer: Buffer.from(`<p>${LIBRARY}</p>`)};
    await page.locator('#chosen-file').setInputFiles(file);
    await page.locator('#file a').waitFor();
  },
};
// And the page of a server from ko to en, from en to ko and from en to de.
const STATES_OF_SEVERAL = {
  detected: async page => {
    await page.route('**/v1/translate', async route => {  // the models' vocabularies are not of their languages
      const question = {...route.request().postDataJSON(), source: 'ko'};
      const response = await route.fetch({postData: JSON.stringify(question)});
      await route.fulfill({response, json: {...await response.json(), source: 'ko'}});
    });
    await page.locator('#source-language').selectOption('auto');
    await type(page);
    assert.equal(await page.locator('#source-language option').first().innerText(), 'Korean (detected)');
  },
  pivot: async page => {
    await page.locator('#target-language').selectOption('de');
    await type(page);
    await page.locator('#status', {hasText: 'via English'}).waitFor();
  },
};
const STATES_OF = {page: STATES, several: STATES_OF_SEVERAL};

const axeFindings = async page => {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => window.axe.run());
  return violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`));
};

/** Text smaller than `least` pixels on the screen, as far as it can be seen. */
const smallTexts = least => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility() || !element.getClientRects().length) continue;
    const matrix = element.getScreenCTM ? element.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = scale * parseFloat(getComputedStyle(element).fontSize);
    if (size < least) found.add(`${size.toFixed(1)} px: ${text.data.trim().slice(0, 40)}`);
  }
  return [...found];
};

const overlappingLabels = () => {
  const labels = [...document.querySelectorAll('.attention th span')].filter(label => label.checkVisibility());
  const boxes = labels.map(label => label.getBoundingClientRect());
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  // Labels that scrolling has put below others are no fault: nothing here is scrolled.
  return labels.flatMap((label, i) => boxes.flatMap(
      (box, j) => j > i && overlap(boxes[i], box) ? [`${label.textContent} and ${labels[j].textContent}`] : []));
};

/** What is wrong on paper, where nothing scrolls. */
const faultsOnPaper = () => {
  const numbers = color => color.match(/[\d.]+/g).map(Number);
  const isLight = color => { const [red, green, blue] = numbers(color); return red + green + blue > 3 * 128; };
  const isOpaque = color => (numbers(color)[3] ?? 1) === 1;
  const groundOf = element => {
    const color = getComputedStyle(element).backgroundColor;
    return isOpaque(color) || !element.parentElement ? color : groundOf(element.parentElement);
  };
  const faults = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const add = fault => faults.push(`${fault}: ${element.localName}#${element.id} ${element.textContent.trim().slice(0, 40)}`);
    const hasText = element.matches('textarea') ||
        [...element.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
    const ink = element.ownerSVGElement ? style.fill : style.color;
    if (hasText && (isLight(ink) || !isLight(groundOf(element)))) add('not dark on light');
    const needsMore = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    if (element instanceof HTMLElement && style.overflow !== 'visible' && needsMore) add('cut off');
    if (element.matches('button:not(.word), input, select')) add('can only be pressed');
  }
  const [sides, matrix] = ['.sides', '#matrix'].map(selector => document.querySelector(selector));
  if (sides && matrix?.checkVisibility() &&
      matrix.getBoundingClientRect().top <= sides.getBoundingClientRect().bottom) faults.push('#matrix touches .sides');
  return faults;
};

function look(name, address, prepare, colorScheme, width) {
  const phone = width < 500;
  const settings = {colorScheme, viewport: {width, height: 800}, hasTouch: phone, isMobile: phone};
  return check(`${name}, ${colorScheme}, ${width} pixels`, settings, async page => {
    const errors = [];
    page.on('pageerror', error => errors.push(error.message));
    await page.goto(address);
    await prepare(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach(details => { details.open = true; }));
    if (folder) await page.screenshot({path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true});
    assert.deepEqual(errors, []);
    assert.deepEqual(await axeFindings(page), []);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(needed <= width, `${needed} pixels wide`);
    assert.deepEqual(await page.evaluate(smallTexts, LEAST_TEXT), []);
    assert.deepEqual(await page.evaluate(overlappingLabels), []);
    if (!phone) {
      await page.emulateMedia({media: 'print'});
      await page.setViewportSize(PAPER);
      const printed = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(printed <= PAPER.width, `${printed} pixels wide on paper`);
      assert.deepEqual(await page.evaluate(faultsOnPaper), []);
    }
  });
}

for (const page of pages) {
  const name = page.slice(0, page.indexOf('='));
  const address = page.slice(name.length + 1);
  for (const [state, prepare] of Object.entries(STATES_OF[name] || {'': async () => {}})) {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [1280, 390]) await look(state ? `${name}-${state}` : name, address, prepare, colorScheme, width);
    }
  }
}
await end();
