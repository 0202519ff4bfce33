const TYPING_PAUSE_MS = 150;
const RETRY_MS = 1500;
const UPLOADS = 3;  // of a file: each may cost the server a whole translation
const PATIENCE_MS = 700;  // how long a translation stays next to newer text
const AUTO = 'auto';
const LOW_CONFIDENCE = 40;  // percent; a sentence below it is marked
const $ = id => document.getElementById(id);
const source = $('source'), backdrop = $('backdrop'), target = $('target'), menu = $('alternatives');

/** What the browser keeps for this page, where it is allowed to. */
const kept = {
  get: name => { try { return localStorage.getItem(`nmt-${name}`) || ''; } catch { return ''; } },
  set: (name, value) => { try { localStorage.setItem(`nmt-${name}`, value); } catch { /* the page works without */ } },
};

let language = kept.get('language') || ((navigator.language || 'en').startsWith('ko') ? 'ko' : 'en');
let texts = TEXTS[language];
let limits = {max_characters: Infinity, max_body_bytes: Infinity};
let fileFormats = [];                          // extensions of files that the server translates whole
let languages = [];                            // of /languages
let pair = {};                                 // source, or AUTO, and target; nothing: the server's first
let translation = {sentences: [], after: ''};  // what is shown
let shown = {sentence: -1, word: -1};          // the word whose attention is shown
let editor = null;                             // of the sentence that is being edited
let patience = 0, addressTimer = 0;            // timers
let apiKey = kept.get('key');

// ---- The server

class Refused extends Error {
  constructor(status, message, wait) { super(message); this.status = status; this.wait = wait; }
}

async function send(path, options) {
  const headers = {...options.headers};
  // With other characters, fetch fails as if the server were away; so the server refuses the key.
  if (apiKey) headers.Authorization = `Bearer ${apiKey.replace(/[^\x20-\x7e]/g, '?')}`;
  const response = await fetch(path, {...options, headers});
  if (response.ok) return response.json();
  const answer = await response.json().catch(() => null);  // a proxy answers with HTML
  const message = answer?.error || `${response.status} ${response.statusText}`;
  throw new Refused(response.status, message, 1000 * Number(response.headers.get('Retry-After') || 1));
}

const ask = (path, body, signal) => send(path,
    {method: body ? 'POST' : 'GET', headers: {'Content-Type': 'application/json'}, body: body && JSON.stringify(body), signal});

/** Sends only the latest question; drops answers to older ones. */
class Asker {
  constructor(tries = Infinity) { this.tries = tries; }
  ask(delay, question, onAnswer, onRefusal = () => {}, tries = this.tries) {
    this.stop();
    this.timer = setTimeout(() => this.send(question, onAnswer, onRefusal, tries), delay);
  }
  async send(question, onAnswer, onRefusal, tries) {
    const control = this.control = new AbortController();
    try {
      const answer = await question(control.signal);
      if (control.signal.aborted) return;
      hideProblem();
      onAnswer(answer);
    } catch (error) {
      if (control.signal.aborted) return;
      const wait = tries > 1 ? waitAfter(error) : 0;
      showProblem(error, wait > 0);
      if (wait) this.ask(wait, question, onAnswer, onRefusal, tries - 1);
      else onRefusal();
    }
  }
  stop() {
    clearTimeout(this.timer);
    if (this.control) this.control.abort();
  }
}
const typing = new Asker(), choosing = new Asker(), replacing = new Asker(), editing = new Asker(), filing = new Asker(UPLOADS);

const isBusy = ({status}) => status === 503 || status === 429;

/** After how many milliseconds to try again; 0: never. */
function waitAfter(error) {
  if (!(error instanceof Refused) || error.status === 502) return RETRY_MS;
  return isBusy(error) ? error.wait : 0;
}

function showProblem(error, again = false) {
  const {status, message} = error;
  showMessage(again ? (isBusy(error) ? texts.busy : texts.away) : status === 403 ? (apiKey ? texts.wrongKey : texts.askKey) :
      status === 413 ? tooMuch(message) : texts.failed(message));
  if (target.classList.contains('stale') || !translation.sentences.length) showNothing('');
  if (status === 403) $('key-form').hidden = false;
}

function showMessage(text) {
  $('problem').textContent = text;
  $('problem').hidden = false;
}

/** Which limit a text exceeds, by what the server says. */
function tooMuch(message) {
  if (/sentences/.test(message)) return texts.tooManySentences(count(limits.max_sentences));
  if (/body/.test(message)) return texts.tooManyBytes(count(limits.max_body_bytes));
  return /text limit/.test(message) ? texts.tooLong(count(limits.max_characters)) : texts.failed(message);
}

const count = number => number.toLocaleString(language);

function hideProblem() { $('problem').hidden = true; }

// ---- Translating what is typed

function translateTyped(delay = TYPING_PAUSE_MS) {
  const text = source.value;
  closeMenu();
  replacing.stop();
  editing.stop();
  showCount();
  clearMarks();
  writeAddress();
  clearTimeout(patience);
  if (!text.trim()) {
    typing.stop();
    hideProblem();
    return showNothing(texts.nothing);
  }
  outdate();
  const question = {q: text, words: true, attention: true, ...pair};
  const excess = excessOf(text, question);
  if (excess) {
    typing.stop();
    return showProblem(new Refused(413, excess));
  }
  const began = performance.now();
  typing.ask(delay, signal => ask('v1/translate', question, signal), answer => {
    show(answer);
    const confidence = Math.round(confidenceOfAll());
    $('status').textContent = `${Math.max(1, Math.round(performance.now() - began - delay))} ms` +
        (confidence >= 0 && !answer.sentences.some(isForeign) ? ` · ${texts.confidence(confidence)}` : '') +
        (answer.pivot ? ` · ${texts.via(languageName(answer.pivot))}` : '');
    $('spoken').textContent = answer.text;
  });
}

/** What the server would say to too large a request; it would not read one to its end. */
function excessOf(text, question) {
  if ([...text].length > limits.max_characters) return 'text limit';
  return new Blob([JSON.stringify(question)]).size > limits.max_body_bytes ? 'body' : '';
}

/** The translation is of an older text: for a moment it stays, but nobody can take it for the new one. */
function outdate() {
  target.classList.add('stale');
  $('edit').disabled = $('copy').disabled = true;
  $('status').textContent = '';
  $('warnings').hidden = true;
  patience = setTimeout(() => { if (target.classList.contains('stale')) showNothing(texts.working); }, PATIENCE_MS);
}

function showCount() {
  const now = [...source.value].length;
  const known = limits.max_characters !== Infinity;
  $('count').textContent = known && source.value ? texts.characters(count(now), count(limits.max_characters)) : '';
  $('count').classList.toggle('too-long', now > limits.max_characters);
  $('clear').disabled = !source.value;
  source.style.height = 'auto';
  source.style.height = `${source.scrollHeight}px`;
  showExamples();
}

function showExamples() {
  const from = pair.source === AUTO ? sources() : [pair.source || ''];
  const examples = from.flatMap(code => (EXAMPLES[code.split('-')[0]] || []).map(text => ({code, text}))).slice(0, 4);
  $('examples').hidden = source.value !== '' || !examples.length;
  $('examples').replaceChildren(node('span', '', texts.examples), ...examples.map(({code, text}) => {
    const button = node('button', 'example', text);
    button.lang = code;
    button.onclick = () => setText(text);
    return button;
  }));
}

function setText(text) {
  filing.stop();
  $('file').replaceChildren();
  source.value = text;
  translateTyped(0);
  source.focus();
}

// ---- The address holds the text and its languages, for reloading and for links. Its fragment stays in the browser.

function writeAddress() {
  clearTimeout(addressTimer);
  const parts = new URLSearchParams({source: pair.source || '', target: pair.target || '', text: source.value});
  const fragment = source.value ? `#${parts}` : '';
  if (fragment === location.hash) return;
  try {
    history.replaceState(null, '', location.pathname + location.search + fragment);
  } catch {  // browsers limit how often a page may do it
    addressTimer = setTimeout(writeAddress, 1000);
  }
}

/** Takes the text and the languages from the address, as far as the server has them. */
function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.has('text')) source.value = parts.get('text');
  const [from, to] = [parts.get('source'), parts.get('target')];
  const known = from === AUTO ? sources().length > 1 : sources().includes(from);
  setPair(known ? from : pair.source, known ? to : pair.target);
}

// ---- Files

const endingOf = name => name.slice(name.lastIndexOf('.')).toLowerCase();

async function openFile(file) {
  filing.stop();
  $('file').replaceChildren();
  hideProblem();
  if (file.size > limits.max_body_bytes) return showMessage(texts.tooManyBytes(count(limits.max_body_bytes)));
  if (fileFormats.includes(endingOf(file.name)) && endingOf(file.name) !== '.txt') return translateFile(file);
  try {
    setText(new TextDecoder('utf-8', {fatal: true}).decode(await file.arrayBuffer()));
  } catch (error) {
    showMessage(error instanceof TypeError ? texts.notText(file.name) : texts.unreadable(file.name));
  }
}

/** As clients of LibreTranslate do: the server keeps the translated file for a while. */
function translateFile(file) {
  const form = new FormData();
  for (const [name, value] of Object.entries({file, source: pair.source, target: pair.target})) form.append(name, value);
  $('file').replaceChildren(texts.working);
  filing.ask(0, signal => send('translate_file', {method: 'POST', body: form, signal}), ({translatedFileUrl}) => {
    const link = node('a', '', texts.download(file.name));
    link.href = new URL(translatedFileUrl, location).pathname.slice(1);  // a proxy may hide the page's address from the server
    link.download = '';
    link.onclick = async () => {  // a browser shows a failed download only in its own list
      const isThere = await fetch(link.href, {method: 'HEAD'}).then(response => response.ok, () => true);
      if (isThere) return;
      link.remove();
      showMessage(texts.gone(file.name));
    };
    $('file').replaceChildren(link);
    if (!document.activeElement.matches('input, textarea')) link.focus();  // where nobody types
  }, () => $('file').replaceChildren());
}

// ---- Showing it

const best = sentence => sentence.candidates[0];
const translatedText = () => translation.sentences.map((s, i) => (i && !s.before ? ' ' : s.before) + best(s).text).join('') + translation.after;

function show(answer) {
  translation = answer;
  editor = null;
  target.classList.remove('stale');
  target.replaceChildren();
  answer.sentences.forEach((sentence, s) => {
    if (s || sentence.before.trim()) target.append(sentence.before || ' ');
    const element = document.createElement('span');
    element.dir = 'auto';
    fillSentence(element, sentence, s);
    target.append(element);
  });
  target.dir = target.firstElementChild ? getComputedStyle(target.firstElementChild).direction : 'ltr';
  const first = target.querySelector('.word');
  if (first) first.tabIndex = 0;
  $('edit').disabled = $('copy').disabled = !first;
  $('status').textContent = '';
  showWarnings();
  showPair();
  shown = {sentence: first ? 0 : -1, word: -1};
  showMatrix();
}

function showNothing(text) {
  show({sentences: [], after: ''});
  target.append(node('span', 'empty', text));
}

function fillSentence(element, sentence, s) {
  element.replaceChildren();
  best(sentence).words.forEach((word, w) => {
    if (w) element.append(' ');
    const button = node('button', 'word', word);
    button.tabIndex = -1;
    button.setAttribute('aria-haspopup', 'menu');
    Object.assign(button.dataset, {sentence: s, word: w});
    element.append(button);
  });
  if (!isUnsure(sentence)) return;
  const sign = node('span', 'unsure');
  sign.title = isForeign(sentence) ? texts.warning.script : texts.unsure(Math.round(confidenceOf(sentence)));
  sign.setAttribute('role', 'img');
  sign.setAttribute('aria-label', sign.title);
  element.append(sign);
}

function showWarnings() {
  const kinds = new Set(translation.sentences.flatMap(warningsOf));
  const warnings = [...kinds].map(kind => texts.warning[kind] || kind);
  if (translation.sentences.some(isUnsure)) warnings.unshift(texts.someUnsure);
  $('warnings').replaceChildren(...warnings.map(text => node('li', '', text)));
  $('warnings').hidden = !warnings.length;
}

/** In percent: of a sentence's best candidate, or of the whole translation by the sentences' lengths; NaN without. */
const confidenceOf = sentence => 100 * best(sentence).confidence;
const warningsOf = sentence => best(sentence).warnings.map(warning => warning.split(':')[0]);
// A model's confidence means nothing in a script that it has never seen.
const isForeign = sentence => warningsOf(sentence).includes('script');
const isUnsure = sentence => isForeign(sentence) || confidenceOf(sentence) < LOW_CONFIDENCE;
function confidenceOfAll() {
  const length = sentence => sentence.source_tokens.length;
  const sum = value => translation.sentences.reduce((total, sentence) => total + value(sentence), 0);
  return sum(s => length(s) && length(s) * confidenceOf(s)) / sum(length);
}

const placeOf = button => ({sentence: Number(button.dataset.sentence), word: Number(button.dataset.word)});
const wordAt = ({sentence, word}) => target.querySelector(`[data-sentence="${sentence}"][data-word="${word}"]`);

/** Where each source word of a sentence stands in the text. */
function sourceWordPlaces(s) {
  let begin = 0;
  for (let i = 0; i < s; ++i) begin += translation.sentences[i].before.length + translation.sentences[i].source.length;
  const sentence = translation.sentences[s];
  begin += sentence.before.length;
  let from = 0;
  return sentence.source_words.map(word => {
    const found = sentence.source.indexOf(word, from);
    if (found < 0) return null;
    from = found + word.length;
    return [begin + found, begin + from];
  });
}

function showAttention(place) {
  const button = wordAt(place);
  target.querySelectorAll('.active').forEach(word => word.classList.remove('active'));
  button.classList.add('active');
  const changed = place.sentence !== shown.sentence;
  shown = place;
  const sentence = translation.sentences[place.sentence];
  const weights = (best(sentence).word_attention || [])[place.word] || [];
  if (!translation.pivot) markSource(sourceWordPlaces(place.sentence), weights);  // else they are not in the text
  if (changed) showMatrix();
  markMatrix();
  const looked = sentence.source_words.filter((_, i) => weights[i] >= 0.25).join(' ');
  button.setAttribute('aria-description', looked && texts.looksAt(button.textContent, looked));
}

function markSource(places, weights) {
  const pieces = [];
  let end = 0;
  places.forEach((place, i) => {
    if (!place || !(weights[i] >= 0.04)) return;
    const mark = node('mark', '', source.value.slice(place[0], place[1]));
    mark.style.setProperty('--weight', Math.min(1, weights[i]).toFixed(3));
    pieces.push(source.value.slice(end, place[0]), mark);
    end = place[1];
  });
  backdrop.replaceChildren(...pieces, source.value.slice(end));
}

function clearMarks() { backdrop.replaceChildren(); }

// ---- The matrix

function showMatrix() {
  const sentence = translation.sentences[shown.sentence];
  $('matrix').hidden = $('matrix-toggle').getAttribute('aria-pressed') !== 'true' || !sentence;
  if ($('matrix').hidden) return;
  const {words, word_attention: weights = []} = best(sentence);
  $('attention').hidden = !weights.length;  // of a model without, or too long a sentence
  $('no-attention').hidden = weights.length > 0;
  if (!weights.length) return;
  const percent = weights.map(row => row.map(weight => Math.round(100 * weight)));
  drawAttention($('attention'), {source: sentence.source_words, target: words, percent},
      {source: texts.source, target: texts.target, name: texts.matrix});
  markMatrix();
}

function markMatrix() {
  $('attention').querySelectorAll('tr[data-row]').forEach((row, w) => row.classList.toggle('lit', w === shown.word));
}

// ---- Other words

function prefixBefore({sentence, word}) {
  const words = best(translation.sentences[sentence]).words.slice(0, word);
  return words.length ? words.join(' ') + ' ' : '';
}

function openMenu(button) {
  const place = placeOf(button);
  closeMenu();
  button.setAttribute('aria-expanded', 'true');
  menu.setAttribute('aria-label', texts.other_words(button.textContent));
  const question = {q: translation.sentences[place.sentence].source, prefix: prefixBefore(place), count: 6, ...shownPair()};
  choosing.ask(0, signal => ask('v1/alternatives', question, signal), answer => fillMenu(button, place, answer.alternatives));
}

function fillMenu(button, place, alternatives) {
  menu.replaceChildren(...alternatives.map(({word, text, probability}) => {
    const item = node('button');
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    item.append(node('span', '', word), node('span', 'share', percent(probability)), node('span', 'whole', text));
    item.onclick = () => choose(place, text);
    return item;
  }));
  if (!alternatives.length) menu.append(node('p', '', texts.none));
  menu.hidden = false;
  const at = button.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 16)) + scrollX}px`;
  menu.style.top = `${at.bottom + 6 + scrollY}px`;
  // On a phone the menu is at the bottom of the screen; the word stays above it.
  const covered = at.bottom + 6 - menu.getBoundingClientRect().top;
  if (getComputedStyle(menu).position === 'fixed' && covered > 0) scrollBy(0, covered);
  const first = menu.querySelector('button');
  if (first) first.focus({preventScroll: true});
}

/** The word whose alternatives are shown or awaited. */
const openedWord = () => target.querySelector('[aria-expanded]');

function closeMenu(focus = false) {
  choosing.stop();
  const opened = openedWord();
  if (opened && menu.hidden) hideProblem();  // of alternatives that did not come
  if (opened) opened.removeAttribute('aria-expanded');
  if (opened && focus) opened.focus();
  menu.hidden = true;
}

const percent = share => share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;

/** The translation that a word leads to takes the sentence's place; its attention follows. */
function choose({sentence: s}, text) {
  closeMenu(true);
  replaceSentence(s, byHand(translation.sentences[s], text));
  const chosen = translation.sentences[s];
  const question = {q: chosen.source, prefix: text, words: true, attention: true, split: false, ...shownPair()};
  replacing.ask(0, signal => ask('v1/translate', question, signal), answer => {
    const isInUse = target.children[s].querySelector('.editor, [aria-expanded]');
    if (translation.sentences[s] === chosen && !isInUse) replaceSentence(s, answer.sentences[0]);
  });
}

/** The other sentences' words stay, as one of them may be pressed; the focus stays unless it is in this sentence. */
function replaceSentence(s, sentence) {
  const element = target.children[s], focused = element.contains(document.activeElement) ? document.activeElement : null;
  translation.sentences[s] = {...sentence, before: translation.sentences[s].before};
  fillSentence(element, sentence, s);
  clearMarks();
  showWarnings();
  showMatrix();
  $('status').textContent = '';
  const word = wordAt({sentence: s, word: Math.min(focused?.dataset.word || 0, best(sentence).words.length - 1)});
  if (word) makeTabStop(word);
  if (word && focused) word.focus();
  $('spoken').textContent = best(sentence).text;
}

function makeTabStop(button) {
  target.querySelectorAll('.word[tabindex="0"]').forEach(word => { word.tabIndex = -1; });
  button.tabIndex = 0;
}

// ---- Editing a sentence of the translation

function edit(s, caret) {
  closeMenu();
  const sentence = translation.sentences[s];
  const box = node('textarea', 'editor');
  box.value = best(sentence).text;
  box.rows = 1;
  box.spellcheck = false;
  box.setAttribute('aria-label', texts.editing);
  target.children[s].replaceChildren(box);
  editor = {box, sentence: s, answer: sentence};
  box.oninput = event => complete(event);
  box.onkeydown = event => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    finishEditing(event.key === 'Enter');
  };
  box.onblur = () => {
    // What is being pressed stays in its place until it is released: else it would not be clicked.
    if (!document.documentElement.matches(':active')) return finishEditing(true);
    document.addEventListener('mouseup', () => finishEditing(true), {capture: true, once: true});
  };
  fit(box);
  box.focus();
  box.setSelectionRange(caret, caret);
}

function fit(box) {
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight + 2}px`;
}

/** Keeps the text before the caret; the model completes it. */
function complete(event) {
  const {box, sentence} = editor;
  fit(box);
  if (event.inputType === 'deleteContentForward') return editing.stop();
  const caret = box.selectionStart;
  const prefix = box.value.slice(0, caret);
  const question =
      {q: translation.sentences[sentence].source, prefix, words: true, attention: true, split: false, ...shownPair()};
  editing.ask(TYPING_PAUSE_MS, signal => ask('v1/translate', question, signal), answer => {
    if (!editor || editor.box !== box || box.selectionStart !== caret) return;
    const text = answer.sentences[0].translation;
    if (!text.startsWith(prefix)) return;
    editor.answer = answer.sentences[0];
    box.value = text;
    box.setSelectionRange(caret, caret);
    fit(box);
  });
}

function finishEditing(keep) {
  if (!editor) return;
  const {box, sentence, answer} = editor;
  editor = null;
  editing.stop();
  const old = translation.sentences[sentence];
  const text = box.value.trim();
  if (!keep || !text) return replaceSentence(sentence, old);
  const finished = text === best(answer).text ? answer : byHand(old, text);
  replaceSentence(sentence, finished);
}

/** What the model did not write has no attention to show. */
function byHand(sentence, text) {
  const candidate = {text, words: text.split(/\s+/), word_attention: [], warnings: []};
  return {...sentence, translation: text, candidates: [candidate]};
}

/** Without HTTPS, a page has no clipboard, but may copy what is selected. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = node('textarea', 'only-spoken');
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand('copy');
  box.remove();
  $('copy').focus();
}

// ---- Events

source.addEventListener('input', () => translateTyped());
source.addEventListener('scroll', () => { backdrop.style.transform = `translateY(${-source.scrollTop}px)`; });
$('clear').onclick = () => setText('');
$('open').onclick = () => $('chosen-file').click();
$('chosen-file').onchange = event => { if (event.target.files.length) openFile(event.target.files[0]); event.target.value = ''; };
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  document.addEventListener(name, event => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    $('drop').hidden = name === 'drop' || (name === 'dragleave' && event.relatedTarget === null);
    const {files} = event.dataTransfer;
    if (name === 'drop' && files.length > 1) showMessage(texts.oneFile);
    else if (name === 'drop') openFile(files[0]);
  });
}
$('edit').onclick = () => { const s = Math.max(0, shown.sentence); edit(s, best(translation.sentences[s]).text.length); };
$('copy').onclick = async () => {
  await copy(translatedText());
  $('status').textContent = $('spoken').textContent = texts.copied;
};
$('matrix-toggle').onclick = event => {
  const pressed = event.currentTarget.getAttribute('aria-pressed') === 'true';
  event.currentTarget.setAttribute('aria-pressed', String(!pressed));
  showMatrix();
};
$('key-toggle').onclick = () => {
  $('key-form').hidden = !$('key-form').hidden;
  $('key').value = apiKey;
};
$('key-form').onsubmit = event => {
  event.preventDefault();
  apiKey = $('key').value.trim();
  kept.set('key', apiKey);
  $('key-form').hidden = true;
  translateTyped(0);
};

// The words of an outdated translation have no attention to show.
const wordOf = event => target.classList.contains('stale') ? null : event.target.closest('.word');
target.addEventListener('pointerover', event => { if (wordOf(event)) showAttention(placeOf(wordOf(event))); });
target.addEventListener('focusin', event => { if (wordOf(event)) showAttention(placeOf(wordOf(event))); });
target.addEventListener('click', event => { if (wordOf(event)) openMenu(wordOf(event)); });
target.addEventListener('keydown', event => {
  const button = wordOf(event);
  if (!button) return;
  const words = [...target.querySelectorAll('.word')];
  const step = {ArrowRight: 1, ArrowLeft: -1, Home: -words.length, End: words.length}[event.key];
  if (step) {
    event.preventDefault();
    const next = words[Math.max(0, Math.min(words.length - 1, words.indexOf(button) + step))];
    makeTabStop(next);
    next.focus();
  } else if (event.key === 'F2') {
    event.preventDefault();
    edit(placeOf(button).sentence, prefixBefore(placeOf(button)).length + button.textContent.length);
  } else if (event.key === 'ArrowDown') {
    event.preventDefault();
    openMenu(button);
  }
});
menu.addEventListener('keydown', event => {
  const items = [...menu.querySelectorAll('button')];
  const step = {ArrowDown: 1, ArrowUp: items.length - 1}[event.key];
  if (step) {
    event.preventDefault();
    items[(items.indexOf(document.activeElement) + step) % items.length].focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    closeMenu(true);
  }
});
for (const name of ['pointerdown', 'focusin']) {
  document.addEventListener(name, event => {
    if (!menu.contains(event.target) && event.target !== openedWord()) closeMenu();
  });
}
document.addEventListener('keydown', event => { if (event.key === 'Escape') closeMenu(true); });

// ---- The languages of the text and the translation

const sources = () => languages.filter(language => language.targets.length).map(language => language.code);

function targetsOf(from) {
  const targets = languages.filter(language => from === AUTO || language.code === from).flatMap(language => language.targets);
  return [...new Set(targets)];
}

/** The language of the text, as far as it is known. */
const sourceFound = () => pair.source === AUTO ? translation.source : pair.source;

/** What the sentences shown were translated from and into: those of a pivot are in its language. */
function shownPair() {
  const from = translation.pivot || sourceFound();
  return {source: from === pair.target ? undefined : from, target: pair.target};
}

const languageName = code => new Intl.DisplayNames([language], {type: 'language', fallback: 'code'}).of(code);

function setPair(from, to) {
  const targets = targetsOf(from);
  pair = {source: from, target: targets.includes(to) ? to : targets[0]};
  translation.source = undefined;  // of what was shown before
  showNothing(texts.nothing);
  showPair();
  translateTyped(0);
}

function showPair() {
  const known = pair.source && pair.source !== 'xx';
  $('direction').hidden = !known;
  if (!known) return;
  const found = translation.source ? texts.detected(languageName(translation.source)) : texts.detect;
  const nameOf = code => code === AUTO ? found : languageName(code);
  fillSelect($('source-language'), sources().length > 1 ? [AUTO, ...sources()] : sources(), pair.source, nameOf);
  fillSelect($('target-language'), targetsOf(pair.source), pair.target, nameOf);
  $('source-language').setAttribute('aria-label', texts.from);
  $('target-language').setAttribute('aria-label', texts.to);
  $('swap').setAttribute('aria-label', texts.swap);
  $('swap').title = texts.swap;
  $('swap').disabled = !targetsOf(pair.target).includes(sourceFound());
  $('swap').textContent = $('swap').disabled ? '→' : '⇄';
  source.lang = sourceFound() || '';
  target.lang = pair.target;
}

function fillSelect(select, codes, chosen, nameOf) {
  const names = codes.map(nameOf);
  const old = [...select.options].map(option => option.text);
  if (names.join() !== old.join()) {  // an open list would close
    select.replaceChildren(...codes.map((code, i) => new Option(names[i], code)));
  }
  select.value = chosen;
  select.disabled = codes.length < 2;
}

$('source-language').onchange = event => setPair(event.target.value, pair.target);
$('target-language').onchange = event => setPair(pair.source, event.target.value);
$('swap').onclick = () => {
  if (translation.sentences.length && !target.classList.contains('stale')) source.value = translatedText();
  setPair(pair.target, sourceFound());
};

// ---- The interface's language

function setLanguage(code) {
  language = code;
  texts = TEXTS[code];
  document.documentElement.lang = code;
  document.querySelectorAll('[data-text]').forEach(element => { element.textContent = texts[element.dataset.text]; });
  source.placeholder = texts.placeholder;
  $('switch-language').textContent = texts.other;
  $('switch-language').lang = texts.otherCode;
  $('hint').textContent = matchMedia('(hover: none)').matches ? texts.touchHint : texts.hint;
  showPair();
  showCount();
  if (editor) return;
  if (translation.sentences.length) show(translation);
  else showNothing(texts.nothing);
}
$('switch-language').onclick = () => {
  kept.set('language', texts.otherCode);
  setLanguage(texts.otherCode);
};

setLanguage(language);
new Asker().ask(0, signal => Promise.all(['v1/info', 'languages', 'frontend/settings'].map(path => ask(path, null, signal))),
    answer => {
      [limits, languages, {supportedFilesFormat: fileFormats}] = answer;
      pair = {source: limits.source, target: limits.target};
      $('key-toggle').hidden = !limits.api_key;
      $('key-form').hidden = !limits.api_key || apiKey !== '';
      readAddress();
      window.addEventListener('hashchange', readAddress);
    });
