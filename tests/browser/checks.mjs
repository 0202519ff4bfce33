// Checks of pages in Chromium: each is named when it is done; the program ends with 1 if one failed.
import process from 'node:process';

const {chromium} = await import(process.env.PLAYWRIGHT);
const browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
let failures = 0;

/** Runs the check on a page of a new context; `failed` gets that page and the number of failures. */
export async function check(name, settings, run, failed = async () => {}) {
  const context = await browser.newContext({locale: 'en-US', ...settings});
  const page = await context.newPage();
  try {
    await run(page);
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n        ${error.message}`);
    await failed(page, failures);
  }
  await context.close();
}

export async function end() {
  await browser.close();
  process.exit(failures ? 1 : 0);
}
