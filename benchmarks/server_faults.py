#!/usr/bin/env python3
"""Measures `nmt serve` under too much load, with hostile clients, without resources and after kill -9;
prints a line of figures for each case.

    benchmarks/server_faults.py DIRECTORY_OF_PROGRAMS [CASE ...]

The case `unit` kills the running systemd unit nmt.service.

The load program (server_load), these clients and the server share the machine's cores.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).parents[1]
MODEL = ROOT / 'models' / 'sample'
SENTENCES = ROOT / 'data' / 'sample' / 'test.ko'
if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
    sys.exit(__doc__)
PROGRAMS = pathlib.Path(sys.argv[1])
REQUEST = json.dumps({'q': '저는 책을 읽어요.', 'source': 'ko', 'target': 'en'}).encode()
HEAD = b'POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'


def translate(port):
    """The status, and how many seconds it took."""
    begin = time.monotonic()
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    try:
        connection.request('POST', '/translate', REQUEST, {'Content-Type': 'application/json'})
        response = connection.getresponse()
        response.read()
        return response.status, time.monotonic() - begin
    finally:
        connection.close()


def child_cpu_seconds():
    """Of those that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Server:
    """`nmt serve` on a free port or a given one."""

    def __init__(self, *options, port=0, limits=(), model=MODEL):
        self.log = tempfile.TemporaryFile('w+')

        def limit():
            for kind, most in limits:
                resource.setrlimit(kind, (most, most))
        self.process = subprocess.Popen(
            [PROGRAMS / 'nmt', 'serve', '-m', model, '--port', str(port), *options],
            stderr=self.log, preexec_fn=limit)
        while not (found := re.search(r'listening on http://[^:]*:(\d+)', self.text())):
            if self.process.poll() is not None:
                sys.exit(self.text())
            time.sleep(0.01)
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def status(self, name):
        """Of /proc/PID/status, in MB."""
        status = pathlib.Path(f'/proc/{self.process.pid}/status').read_text()
        return int(re.search(rf'^{name}:\s*(\d+)', status, re.M)[1]) / 1000

    def cpu_seconds(self):
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def connect(self):
        return socket.create_connection(('127.0.0.1', self.port), timeout=60)

    def load(self, connections, seconds):
        """The report of server_load, with `rate` in sentences/s, the server's `cpu` in ms of each
        sentence and the share of the cores that server_load takes."""
        before, children, begin = self.cpu_seconds(), child_cpu_seconds(), time.monotonic()
        report = subprocess.run(
            [PROGRAMS / 'server_load', str(self.port), str(connections), str(seconds), SENTENCES],
            stdout=subprocess.PIPE, text=True).stdout
        taken = (child_cpu_seconds() - children) / (time.monotonic() - begin)
        answers = int(re.search(r'200: (\d+)', report)[1])
        latencies = re.search(r'sentences/s (\d+)  ms: median (\d+)  p95 \d+  p99 (\d+)', report)
        return {'text': report.replace('\n', '  '), 'answers': answers, 'rate': int(latencies[1]),
                'median': int(latencies[2]), 'p99': int(latencies[3]),
                'cpu': (self.cpu_seconds() - before) * 1000 / max(answers, 1),
                'taken': taken / len(os.sched_getaffinity(0))}


def idle_connections():
    """10,000 idle connections beside 100 active ones."""
    with Server('--max-connections', '12000') as server:
        server.load(100, 3)
        before = server.load(100, 8)
        idle = [server.connect() for _ in range(10000)]
        beside = server.load(100, 8)
        print(f'10,000 idle connections: {server.status("VmHWM"):.0f} MB, p99 {before["p99"]} to '
              f'{beside["p99"]} ms, {before["rate"]} to {beside["rate"]} sentences/s')
        for connection in idle:
            connection.close()


def overload():
    """Ten times more load than capacity."""
    with Server('--max-connections', '20000') as server:
        usual = server.load(1000, 10)
        beyond = server.load(10 * usual['rate'] + 2500, 20)
        _, after = translate(server.port)
        print(f'overload: {usual["rate"]} to {beyond["rate"]} sentences/s, {usual["cpu"]:.2f} to '
              f'{beyond["cpu"]:.2f} ms CPU each, the load program takes {beyond["taken"]:.2f} of the '
              f'cores; {server.status("VmHWM"):.0f} MB, then answered in '
              f'{1000 * after:.0f} ms\n  {beyond["text"]}')


def hostile_clients():
    """Slow readers and writers, huge bodies and headers, half-open and reset connections."""
    stop = threading.Event()

    def repeat(act):
        while not stop.is_set():
            try:
                act()
            except OSError:
                time.sleep(0.05)

    with Server() as server:
        server.load(64, 3)
        before = server.load(64, 10)

        def slow_writers():
            clients = [server.connect() for _ in range(200)]
            for byte in HEAD:
                for client in clients:
                    client.send(bytes([byte]))
                if stop.wait(0.5):
                    return

        def slow_readers():  # of something that costs no translation
            clients = [socket.socket() for _ in range(100)]
            for client in clients:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                client.connect(('127.0.0.1', server.port))
                client.send(b'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
            while not stop.wait(0.5):
                for client in clients:
                    client.recv(100)

        def huge_body():
            client = server.connect()
            client.send(HEAD + b'Content-Length: 100000000\r\n\r\n')
            while client.send(bytes(65536)):
                pass

        def huge_header():
            client = server.connect()
            client.send(HEAD + b'X: ' + b'x' * 65536)
            client.recv(1000)
            stop.wait(0.1)

        def half_open():
            clients = [server.connect() for _ in range(200)]
            stop.wait(5)
            del clients

        def resets():
            client = server.connect()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
            client.send(HEAD + b'Content-Length: 5\r\n\r\nx')
            client.close()
            stop.wait(0.02)

        def pipelines():
            client = server.connect()
            client.send((HEAD + b'Content-Length: 2\r\n\r\n{}') * 20)
            client.recv(100000)
            stop.wait(0.1)

        threads = [threading.Thread(target=repeat, args=[act], daemon=True)
                   for act in [slow_writers, slow_readers, huge_body, huge_header, half_open, resets,
                               pipelines]]
        for thread in threads:
            thread.start()
        time.sleep(1)
        begin, cpu = time.monotonic(), time.process_time()
        beside = server.load(64, 10)
        taken = (time.process_time() - cpu) / (time.monotonic() - begin) / len(os.sched_getaffinity(0))
        stop.set()
        for thread in threads:
            thread.join(10)
        after = server.load(64, 10)
        usual = (before['rate'] + after['rate']) / 2
        print(f'hostile clients: {before["rate"]}, {beside["rate"]}, {after["rate"]} sentences/s '
              f'before, beside and after: {beside["rate"] / usual:.2f}; {before["cpu"]:.2f}, '
              f'{beside["cpu"]:.2f}, {after["cpu"]:.2f} ms of the server\'s CPU each; the hostile '
              f'clients take {taken:.2f} of the cores; {server.status("VmHWM"):.0f} MB\n  {beside["text"]}')


def retry_through(name, port, kill):
    """20 clients that retry while `kill` ends the server, which starts again."""
    stop = threading.Event()
    times = []
    failures = []

    def client():
        while not stop.is_set():
            begin = time.monotonic()
            while True:
                try:
                    if translate(port)[0] == 200:
                        break
                except (OSError, http.client.HTTPException):
                    failures.append(name)
                time.sleep(0.02)
            times.append(time.monotonic() - begin)

    threads = [threading.Thread(target=client) for _ in range(20)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    kill()
    time.sleep(3)
    stop.set()
    for thread in threads:
        thread.join()
    print(f'{name}: {len(times)} requests, all answered, {len(failures)} attempts failed; the longest '
          f'request took {max(times):.2f} s')


def killed():
    """Killed under load and started again, with clients that retry."""
    with Server() as first, contextlib.ExitStack() as second:
        def kill():
            first.process.kill()
            first.process.wait()
            second.enter_context(Server(port=first.port))
        retry_through('kill -9', first.port, kill)


def unit():
    """The same of the unit nmt.service, which runs on this machine; for root."""
    def kill():
        subprocess.run(['systemctl', 'kill', '-s', 'KILL', 'nmt'], check=True)
    retry_through('kill -9 of the unit', 8080, kill)


def out_of_resources():
    """Limits of file descriptors and memory."""
    for name, limits, clients in [
            ('60 file descriptors', [(resource.RLIMIT_NOFILE, 60)], 200),
            ('1.4 GB of addresses', [(resource.RLIMIT_AS, 1400 << 20)], 200)]:
        with Server('--max-connections', '4096', '--threads', '1', limits=limits) as server:
            results = []

            def client():
                try:
                    results.append(translate(server.port)[0])
                except OSError:
                    results.append('closed')
            threads = [threading.Thread(target=client) for _ in range(clients)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            begin, cpu = time.monotonic(), server.cpu_seconds()
            time.sleep(1)
            spinning = (server.cpu_seconds() - cpu) / (time.monotonic() - begin)
            counts = {result: results.count(result) for result in set(results)}
            print(f'{name}: {clients} clients got {counts}; idle CPU then {spinning:.2f}; '
                  f'next answer {translate(server.port)[0]}')


def long_run():
    """Two million sentences: the mean memory of each tenth."""
    lines = SENTENCES.read_text().split('\n')[:-1]
    with Server('--beam-size', '1', '--precision', 'int8', '--max-characters', '100000') as server:
        memory, done = [[] for _ in range(10)], 0  # after each request, by tenths
        lock = threading.Lock()

        def client(first):
            nonlocal done
            connection = http.client.HTTPConnection('127.0.0.1', server.port, timeout=60)
            place = first
            while done < 2000000:
                texts = [lines[(place + i) % len(lines)] for i in range(400)]
                place += 401
                connection.request('POST', '/translate',
                                   json.dumps({'q': texts, 'source': 'ko', 'target': 'en'}),
                                   {'Content-Type': 'application/json'})
                answer = json.loads(connection.getresponse().read())
                assert len(answer['translatedText']) == 400
                with lock:
                    done += 400
                    memory[min(done // 200000, 9)].append(server.status('VmRSS'))
        threads = [threading.Thread(target=client, args=[100 * i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print('2 million sentences, mean MB of each tenth:',
              *(f'{statistics.mean(values):.1f}' for values in memory), ' most:',
              *(f'{max(values):.1f}' for values in memory))


CASES = {'idle': idle_connections, 'overload': overload, 'hostile': hostile_clients,
         'killed': killed, 'limits': out_of_resources, 'long': long_run}
BY_NAME_ONLY = {'unit': unit}

_, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
for case in sys.argv[2:] or CASES:
    {**CASES, **BY_NAME_ONLY}[case]()
