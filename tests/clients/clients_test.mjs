// Clients of other servers, unmodified: clients_test.mjs OPEN KEYED KEY
// The addresses of servers from ko to en, without and with API keys, and a key of the latter.
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import process from 'node:process';
import test from 'node:test';

import {Validator} from '@seriousme/openapi-schema-validator';
import * as deepl from 'deepl-node';
import translate from 'translate';

const [open, keyed, key] = process.argv.slice(2);
const libretranslate = createRequire(import.meta.url)('libretranslate');
const READING = '저는 책을 읽어요.';
const DRINKING = '저는 물을 마셔요.';
const client = (authKey = key) => new deepl.DeepLClient(authKey, {serverUrl: keyed, maxRetries: 0});

test('deepl-node translates texts', async () => {
  const one = await client().translateText(READING, 'ko', 'en-US');
  assert.equal(one.text, 'I read a book.');
  assert.equal(one.detectedSourceLang, 'ko');
  assert.equal(one.billedCharacters, 10);
  const list = await client().translateText([READING, DRINKING], null, 'en-GB');
  assert.deepEqual(list.map(each => each.text), ['I read a book.', 'I drink water.']);
  assert.equal(list[0].detectedSourceLang, 'ko');
});

test('deepl-node translates tags, and lines as asked', async () => {
  const html = await client().translateText('<p>저는 <b>책을</b> 읽어요.</p>', 'ko', 'en-US', {tagHandling: 'html'});
  assert.equal(html.text, '<p>I read <b>a book</b>.</p>');
  const xml = await client().translateText('저는 <b>책을</b> 읽어요.', 'ko', 'en-US', {tagHandling: 'xml'});
  assert.equal(xml.text, 'I read <b>a book</b>.');
  const lines = await client().translateText('저는 책을\n읽어요.', 'ko', 'en-US', {splitSentences: 'nonewlines'});
  assert.equal(lines.text, 'I read a book.');
});

test('deepl-node hears of what is not supported', async () => {
  await assert.rejects(client().translateText(READING, 'ko', 'en-US', {formality: 'more'}), /formality/);
  await assert.rejects(client().translateText(READING, 'ko', 'en-US', {context: 'a library'}), /'context' is not supported/);
  await assert.rejects(client().translateText(READING, 'ko', 'fr'), /fr is not supported/);
  assert.equal((await client().translateText(READING, 'ko', 'en-US', {formality: 'prefer_more'})).text, 'I read a book.');
});

test('deepl-node lists languages and usage', async () => {
  const sources = await client().getSourceLanguages();
  assert.deepEqual(sources, [{name: 'Korean', code: 'ko'}]);
  const targets = await client().getTargetLanguages();
  assert.deepEqual(targets.map(each => each.code), ['en-GB', 'en-US']);
  const before = (await client().getUsage()).character.count;
  await client().translateText(READING, 'ko', 'en-US');
  const usage = await client().getUsage();
  assert.equal(usage.character.count, before + 10);
  assert.ok(!usage.anyLimitReached());
});

test('deepl-node is refused with a wrong key', async () => {
  await assert.rejects(client('wrong').translateText(READING, 'ko', 'en-US'), deepl.AuthorizationError);
  await assert.rejects(client('wrong').getUsage(), deepl.AuthorizationError);
});

test('the npm clients of LibreTranslate translate', async () => {
  assert.equal(await libretranslate.translate({query: READING, source: 'ko', target: 'en', apiurl: open}), 'I read a book.');
  translate.engine = 'libre';
  translate.url = `${open}/translate`;
  assert.equal(await translate(READING, {from: 'ko', to: 'en'}), 'I read a book.');
});

test('the description of the interface is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(await (await fetch(`${open}/openapi.json`)).json());
  assert.deepEqual(result.errors ?? [], []);
  assert.ok(result.valid);
  assert.equal(validator.version, '3.1');
});
