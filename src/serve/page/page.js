// The texts of the page by interface language.
const TEXTS = {
  en: {
    other: '한국어', otherCode: 'ko',
    source: 'Text', target: 'Translation', placeholder: 'Type or paste text here',
    clear: 'Clear', edit: 'Edit', copy: 'Copy', copied: 'Copied', attention: 'Attention',
    matrix: 'Attention of each word', no_attention: 'Nothing to show.', nothing: 'The translation appears as you type.',
    hint: 'Point at a word to see its source words; click it or press Enter for alternatives. ' +
        'Arrow keys move between words. Press Edit or F2 to write; the model completes the rest.',
    key: 'API key', useKey: 'Use key', askKey: 'This server requires an API key.',
    away: 'The server cannot be reached. Trying again…', busy: 'The server is busy. Trying again…',
    tooLong: most => `The text is too long: at most ${most} characters can be translated at once.`,
    failed: what => `Translation failed: ${what}`,
    characters: (now, most) => `${now} of ${most} characters`,
    none: 'No alternatives', other_words: word => `Alternatives for ${word}`, editing: 'Edit the translation',
    looksAt: (word, sources) => `${word}: from ${sources}`,
    from: 'Translate from', to: 'Translate into', swap: 'Swap languages', detect: 'Detect language',
    detected: name => `${name} (detected)`, via: name => `via ${name}`,
    confidence: percent => `confidence ${percent} %`, unsure: percent => `This sentence may be wrong: confidence ${percent} %`,
    warning: {repetition: 'The translation may repeat itself.', length: 'The translation may end too early.',
              coverage: 'Part of the text may be missing.', ratio: 'The translation has an unusual length.',
              unknown: 'The text has characters that the model has never seen.',
              script: 'The text is in a script that the model does not know.'},
  },
  ko: {
    other: 'English', otherCode: 'en',
    source: '원문', target: '번역', placeholder: '여기에 글을 입력하거나 붙여 넣으세요',
    clear: '지우기', edit: '고치기', copy: '복사', copied: '복사됨', attention: '어텐션',
    matrix: '각 단어가 본 곳', no_attention: '보여 줄 것이 없습니다.', nothing: '입력하는 대로 번역이 나타납니다.',
    hint: '단어를 가리키면 어느 단어를 옮긴 것인지 보이고, 누르거나 Enter를 치면 다른 단어가 나옵니다. ' +
        '화살표로 단어 사이를 옮겨 다니고, ‘고치기’나 F2로 직접 쓰면 나머지를 이어 줍니다.',
    key: 'API 키', useKey: '사용', askKey: '이 서버는 API 키가 필요합니다.',
    away: '서버에 연결할 수 없습니다. 다시 시도하는 중…', busy: '서버가 바쁩니다. 다시 시도하는 중…',
    tooLong: most => `글이 너무 깁니다. 한 번에 ${most}자까지 번역할 수 있습니다.`,
    failed: what => `번역하지 못했습니다: ${what}`,
    characters: (now, most) => `${most}자 중 ${now}자`,
    none: '다른 단어가 없습니다', other_words: word => `${word} 대신 쓸 단어`, editing: '번역 고치기',
    looksAt: (word, sources) => `${word}: ${sources}에서`,
    from: '원문의 언어', to: '번역할 언어', swap: '언어 바꾸기', detect: '언어 감지',
    detected: name => `${name} (감지됨)`, via: name => `${name} 거침`,
    confidence: percent => `신뢰도 ${percent} %`, unsure: percent => `이 문장은 틀렸을 수 있습니다: 신뢰도 ${percent} %`,
    warning: {repetition: '같은 말이 되풀이된 것 같습니다.', length: '번역이 중간에 끊긴 것 같습니다.',
              coverage: '원문의 일부가 빠진 것 같습니다.', ratio: '번역의 길이가 보통과 다릅니다.',
              unknown: '원문에 모델이 본 적 없는 글자가 있습니다.', script: '원문이 모델이 모르는 문자로 쓰여 있습니다.'},
  },
};

const TYPING_PAUSE_MS = 150;
const RETRY_MS = 1500;
const AUTO = 'auto';
const LOW_CONFIDENCE = 40;  // percent; a sentence below it is marked
const $ = id => document.getElementById(id);
const source = $('source'), backdrop = $('backdrop'), target = $('target'), menu = $('alternatives');

let language = (navigator.language || 'en').startsWith('ko') ? 'ko' : 'en';
let texts = TEXTS[language];
let limits = {max_characters: Infinity};
let languages = [];                            // of /languages
let pair = {};                                 // source, or AUTO, and target; nothing: the server's first
let translation = {sentences: [], after: ''};  // what is shown
let shown = {sentence: -1, word: -1};          // whose attention is shown
let editor = null;                             // of the sentence that is being edited
let apiKey = '';

// ---- The server

class Refused extends Error {
  constructor(status, message, wait) { super(message); this.status = status; this.wait = wait; }
}

async function ask(path, body, signal) {
  const headers = {'Content-Type': 'application/json'};
  if (apiKey) headers.Authorization = `Bearer ${apiKey}`;
  const response = await fetch(path, {method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body), signal});
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Refused(response.status, answer.error, 1000 * Number(response.headers.get('Retry-After') || 1));
}

/** Sends only the latest question; drops answers to older ones. */
class Asker {
  ask(delay, question, onAnswer) {
    this.stop();
    this.timer = setTimeout(() => this.send(question, onAnswer), delay);
  }
  async send(question, onAnswer) {
    const control = this.control = new AbortController();
    try {
      const answer = await question(control.signal);
      if (control.signal.aborted) return;
      hideProblem();
      onAnswer(answer);
    } catch (error) {
      if (control.signal.aborted) return;
      const wait = showProblem(error);
      if (wait) this.ask(wait, question, onAnswer);
    }
  }
  stop() {
    clearTimeout(this.timer);
    if (this.control) this.control.abort();
  }
}
const typing = new Asker(), editing = new Asker(), choosing = new Asker();

/** Returns after how many milliseconds to try again; 0: never. */
function showProblem(error) {
  const refused = error instanceof Refused;
  const status = refused ? error.status : 0, busy = status === 503 || status === 429;
  $('problem').textContent = !refused ? texts.away : busy ? texts.busy : status === 403 ? texts.askKey :
      status === 413 ? texts.tooLong(limits.max_characters) : texts.failed(error.message);
  $('problem').hidden = false;
  if (status === 403) $('key-form').hidden = false;
  return !refused ? RETRY_MS : busy ? error.wait : 0;
}

function hideProblem() { $('problem').hidden = true; }

// ---- Translating what is typed

function translateTyped(delay = TYPING_PAUSE_MS) {
  const text = source.value;
  closeMenu();
  showCount();
  clearMarks();
  if (!text.trim()) {
    typing.stop();
    hideProblem();
    return show({sentences: [], after: ''});
  }
  target.classList.add('stale');
  if ([...text].length > limits.max_characters) {
    typing.stop();
    return showProblem(new Refused(413, ''));
  }
  const began = performance.now();
  typing.ask(delay, signal => ask('/v1/translate', {q: text, words: true, attention: true, ...pair}, signal), answer => {
    show(answer);
    const confidence = Math.round(confidenceOfAll());
    $('status').textContent = `${Math.max(1, Math.round(performance.now() - began - delay))} ms` +
        (confidence >= 0 ? ` · ${texts.confidence(confidence)}` : '') +
        (answer.pivot ? ` · ${texts.via(languageName(answer.pivot))}` : '');
    $('spoken').textContent = answer.text;
  });
}

function showCount() {
  const count = [...source.value].length;
  const known = limits.max_characters !== Infinity;
  $('count').textContent = known && source.value ? texts.characters(count, limits.max_characters) : '';
  $('count').classList.toggle('too-long', count > limits.max_characters);
  $('clear').disabled = !source.value;
  source.style.height = 'auto';
  source.style.height = `${source.scrollHeight}px`;
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
    fillSentence(element, sentence, s);
    target.append(element);
  });
  if (!answer.sentences.length) target.append(node('span', 'empty', texts.nothing));
  const first = target.querySelector('.word');
  if (first) first.tabIndex = 0;
  $('edit').disabled = $('copy').disabled = !first;
  $('status').textContent = '';
  showWarnings();
  showPair();
  shown = {sentence: first ? 0 : -1, word: -1};
  showMatrix();
}

function node(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function fillSentence(element, sentence, s) {
  element.replaceChildren();
  best(sentence).words.forEach((word, w) => {
    if (w) element.append(' ');
    const button = node('button', 'word', word);
    button.type = 'button';
    button.tabIndex = -1;
    button.setAttribute('aria-haspopup', 'menu');
    Object.assign(button.dataset, {sentence: s, word: w});
    element.append(button);
  });
  const confidence = Math.round(confidenceOf(sentence));
  if (!(confidence < LOW_CONFIDENCE)) return;
  const sign = node('span', 'unsure');
  sign.title = texts.unsure(confidence);
  sign.setAttribute('role', 'img');
  sign.setAttribute('aria-label', sign.title);
  element.append(sign);
}

function showWarnings() {
  const kinds = new Set(translation.sentences.flatMap(s => best(s).warnings.map(w => w.split(':')[0])));
  $('warnings').replaceChildren(...[...kinds].map(kind => node('li', '', texts.warning[kind] || kind)));
  $('warnings').hidden = !kinds.size;
}

/** In percent: of a sentence's best candidate, or of the whole translation by the sentences' lengths; NaN without. */
const confidenceOf = sentence => 100 * best(sentence).confidence;
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
  choosing.ask(0, signal => ask('/v1/alternatives', question, signal), answer => fillMenu(button, place, answer.alternatives));
}

function fillMenu(button, place, alternatives) {
  menu.replaceChildren(...alternatives.map(({word, text, probability}) => {
    const item = node('button');
    item.type = 'button';
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
  const first = menu.querySelector('button');
  if (first) first.focus({preventScroll: true});
}

function closeMenu(focus = false) {
  choosing.stop();
  const opened = target.querySelector('[aria-expanded]');
  if (opened) opened.removeAttribute('aria-expanded');
  if (opened && focus) opened.focus();
  menu.hidden = true;
}

const percent = share => share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;

/** The translation that a word leads to takes the sentence's place. */
function choose(place, text) {
  closeMenu();
  const sentence = translation.sentences[place.sentence];
  const question = {q: sentence.source, prefix: text, words: true, attention: true, split: false, ...shownPair()};
  editing.ask(0, signal => ask('/v1/translate', question, signal), answer => {
    replaceSentence(place.sentence, answer.sentences[0], place.word);
  });
}

function replaceSentence(s, sentence, focusWord = 0) {
  translation.sentences[s] = {...sentence, before: translation.sentences[s].before};
  show({...translation});
  const word = wordAt({sentence: s, word: Math.min(focusWord, best(sentence).words.length - 1)});
  if (word) focusWordButton(word);
  $('spoken').textContent = best(sentence).text;
}

function focusWordButton(button) {
  target.querySelectorAll('.word[tabindex="0"]').forEach(word => { word.tabIndex = -1; });
  button.tabIndex = 0;
  button.focus();
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
  target.querySelector(`[data-sentence="${s}"]`).parentElement.replaceChildren(box);
  editor = {box, sentence: s, answer: sentence};
  box.oninput = event => complete(event);
  box.onkeydown = event => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    finishEditing(event.key === 'Enter');
  };
  box.onblur = () => finishEditing(true);
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
  editing.ask(TYPING_PAUSE_MS, signal => ask('/v1/translate', question, signal), answer => {
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

// ---- Events

source.addEventListener('input', () => translateTyped());
source.addEventListener('scroll', () => { backdrop.style.transform = `translateY(${-source.scrollTop}px)`; });
$('clear').onclick = () => { source.value = ''; translateTyped(); source.focus(); };
$('edit').onclick = () => { const s = Math.max(0, shown.sentence); edit(s, best(translation.sentences[s]).text.length); };
$('copy').onclick = async () => {
  await navigator.clipboard.writeText(translatedText());
  $('status').textContent = $('spoken').textContent = texts.copied;
};
$('matrix-toggle').onclick = event => {
  const pressed = event.currentTarget.getAttribute('aria-pressed') === 'true';
  event.currentTarget.setAttribute('aria-pressed', String(!pressed));
  showMatrix();
};
$('key-form').onsubmit = event => {
  event.preventDefault();
  apiKey = $('key').value.trim();
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
    focusWordButton(words[Math.max(0, Math.min(words.length - 1, words.indexOf(button) + step))]);
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
document.addEventListener('pointerdown', event => {
  if (!menu.hidden && !menu.contains(event.target)) closeMenu();
});
document.addEventListener('keydown', event => { if (event.key === 'Escape' && !menu.hidden) closeMenu(true); });

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
  if (translation.sentences.length) source.value = translatedText();
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
  showPair();
  showCount();
  if (!editor) show(translation);
}
$('switch-language').onclick = () => setLanguage(texts.otherCode);

setLanguage(language);
new Asker().ask(0, signal => Promise.all([ask('/v1/info', null, signal), ask('/languages', null, signal)]), answer => {
  [limits, languages] = answer;
  pair = {source: limits.source, target: limits.target};
  $('key-form').hidden = !limits.api_key;
  setLanguage(language);
});
if (source.value) translateTyped(0);  // what the browser kept from before
