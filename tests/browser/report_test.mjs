// The charts of a report, and the live page during a training: report_test.mjs REPORT NMT NEW_MODEL_FOLDER FOLDER_FOR_SCREENSHOTS
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import process from 'node:process';
import {fileURLToPath} from 'node:url';
import {check, end} from './checks.mjs';

const [report, nmt, model, folder] = process.argv.slice(2);
const test = (name, run) => check(name, {viewport: {width: 1280, height: 1000}}, run);
const readout = figure => figure.locator('.readout').innerText();

await test('hovering reads the point under the pointer', async page => {
  await page.goto(report);
  const figure = page.locator('figure', {hasText: 'BLEU, chrF2'});
  const chart = figure.locator('.by-update svg');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  const points = await chart.evaluate(svg => [...svg.querySelectorAll('polyline')].map(line => {
    const values = line.dataset.values.trim().split(' ').map(pair => pair.split(',').map(Number));
    return [...line.points].map(({x, y}, i) => ({x: x / svg.viewBox.baseVal.width, y: y / svg.viewBox.baseVal.height, value: values[i]}));
  }));
  const at = points[0].length - 3;
  await page.mouse.move(box.x + points[0][at].x * box.width + 2, box.y + points[0][at].y * box.height);
  assert.equal(await readout(figure), `${points[0][at].value[0]}: BLEU ${points[0][at].value[1]} · chrF2 ${points[1][at].value[1]}`);
  // Between two points, it does not make up one: training and validation have different updates.
  const loss = page.locator('figure', {hasText: 'Loss'}).first();
  const validation = await loss.locator('.by-update polyline').nth(1).evaluate(line => {
    const {width, height} = line.ownerSVGElement.viewBox.baseVal;
    return [...line.points].map(({x, y}) => [x / width, y / height]);
  });
  const lossBox = await loss.locator('.by-update svg').boundingBox();
  await page.mouse.move(lossBox.x + validation[0][0] * lossBox.width, lossBox.y + validation[0][1] * lossBox.height);
  assert.match(await readout(loss), /^313: validation [\d.]+$/);
});

await test('the hours of a long training are counted on after a day', async page => {
  await page.goto(report);
  await page.locator('label[for=axis-time]').click();
  const figure = page.locator('figure', {hasText: 'BLEU, chrF2'});
  const chart = figure.locator('.by-time svg');
  await chart.evaluate(svg => {
    for (const line of svg.querySelectorAll('polyline')) line.dataset.values = line.dataset.values.replace(/\S+,/g, '108000,');
  });
  await chart.hover();
  assert.match(await readout(figure), /^30:00:00: /);
});

await test('a live page follows a training and ends with it', async page => {
  const config = fileURLToPath(new URL('../../configs/sample.yaml', import.meta.url));
  const training = spawn(nmt, ['train', '-c', config, '-m', model, '--live', '0', '--train.threads', '1',
    '--train.max-updates', '100000', '--validation.interval', '100'], {stdio: ['ignore', 'ignore', 'pipe']});
  let log = '';
  const address = await new Promise((found, failed) => {
    training.on('exit', () => failed(new Error(log)));
    training.stderr.on('data', text => {
      log += text;
      const match = log.match(/live {2}(http:\S+)/);
      if (match) found(match[1]);
    });
  });
  training.removeAllListeners('exit');
  try {
    await page.goto(address);
    await page.locator('figure', {hasText: 'Loss'}).locator('svg').first()
        .waitFor({timeout: 120000});  // it had none at first
    assert.ok(await page.locator('#live').isVisible());
    execFileSync(process.execPath, [fileURLToPath(new URL('looks_test.mjs', import.meta.url)), folder, `live=${address}`],
        {stdio: ['ignore', 'inherit', 'inherit']});
  } finally {
    training.kill('SIGINT');
  }
  await page.locator('#ended').waitFor();
  assert.equal(await page.locator('#live').isVisible(), false);
  let asked = 0;
  page.on('request', () => { ++asked; });
  await page.waitForTimeout(5000);
  assert.equal(asked, 0);
});

await end();
