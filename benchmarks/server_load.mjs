// Load on a running `nmt serve`: many connections, each of which asks again as soon as it is answered.
//
//   node benchmarks/server_load.mjs http://127.0.0.1:8080 [CONNECTIONS] [SECONDS] [FILE]
//
// FILE: sentences, one a line, one a request. Tells answers by status, failures, answers a second and
// how long they took.
import fs from 'node:fs';
import http from 'node:http';

const [address, connections = '1000', seconds = '60', file = 'data/sample/test.ko'] = process.argv.slice(2);
const sentences = fs.readFileSync(file, 'utf8').trim().split('\n');
const {hostname, port} = new URL(address);
const languages = await (await fetch(`${address}/languages`)).json();
const direction = {source: languages[0].code, target: languages[0].targets[0]};
const agent = new http.Agent({keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity});
const began = performance.now();
const end = began + 1000 * Number(seconds);
const statuses = {}, failures = {}, times = [];
let next = 0;

function ask() {
  const body = JSON.stringify({q: sentences[next++ % sentences.length], ...direction});
  const asked = performance.now();
  return new Promise(done => {
    const failed = error => { failures[error.code] = (failures[error.code] || 0) + 1; done(); };
    const headers = {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body)};
    const request = http.request({hostname, port, agent, path: '/translate', method: 'POST', headers}, response => {
      response.on('error', failed).on('end', () => {
        statuses[response.statusCode] = (statuses[response.statusCode] || 0) + 1;
        if (response.statusCode === 200) times.push(performance.now() - asked);
        done(response.statusCode);
      }).resume();
    });
    request.on('error', failed);
    request.end(body);
  });
}

async function client() {
  while (performance.now() < end) {
    const status = await ask();
    if (status !== 200) await new Promise(done => setTimeout(done, 1000));  // as Retry-After says
  }
}

await Promise.all(Array.from({length: Number(connections)}, client));
const elapsed = (performance.now() - began) / 1000;
times.sort((a, b) => a - b);
const quantile = share => Math.round(times[Math.floor(share * (times.length - 1))]);
console.log(`connections ${connections}  seconds ${elapsed.toFixed(1)}  statuses ${JSON.stringify(statuses)}  failures ${JSON.stringify(failures)}`);
console.log(`sentences/s ${(times.length / elapsed).toFixed(0)}  ms: median ${quantile(0.5)}  p95 ${quantile(0.95)}  p99 ${quantile(0.99)}  most ${quantile(1)}`);
process.exit(Object.keys(failures).length ? 1 : 0);
