import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const binary = process.env.TIEOUT_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(repository, 'target'), 'debug/tieout');

/** What one run of the command line said. */
export type Answer = { code: number; stdout: string; stderr: string };

/** The real binary with a data folder of its own. */
export class Tieout {
  private process: ChildProcess | undefined;
  // A free port; a second start takes the same again, so that pages keep their address.
  private listen = '127.0.0.1:0';
  private output = '';

  /** Where the server listens, once it does. */
  url = '';

  private constructor(readonly folder: string) {}

  /** Makes the data folder; nothing runs yet. */
  static async prepare(): Promise<Tieout> {
    return new Tieout(await mkdtemp(join(tmpdir(), 'tieout-e2e-')));
  }

  /** All that the server wrote, for a failed test's report. */
  get log(): string {
    return this.output;
  }

  /** Runs a command on the same data folder, whatever its end. */
  cli(args: string[], input = ''): Promise<Answer> {
    return new Promise((resolve) => {
      const child = execFile(binary, [...args, ...this.storage()], { cwd: this.folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }

  /** Runs a command that must succeed; gives what it printed. */
  async did(args: string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.cli(args, input);
    if (code !== 0) throw new Error(`tieout ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Puts a file into the data folder, for the command line; gives its path. */
  async keep(file: { name: string; buffer: Buffer }): Promise<string> {
    const path = join(this.folder, file.name);
    await writeFile(path, file.buffer);
    return path;
  }

  /** Starts the server on a free port of the loopback address and waits until it answers. */
  async serve(): Promise<void> {
    const child = spawn(binary, ['serve', '--listen', this.listen, ...this.storage()], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = child;
    const before = this.output.length;
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(new Error(`could not start ${binary}: ${error.message}`)));
      child.once('exit', (code) => reject(new Error(`tieout serve ended with ${code}\n${this.output}`)));
    });
    failed.catch(() => {});
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    await Promise.race([this.answers(before), failed]);
  }

  /** The one-time link that the server prints while there is no user. */
  async setupLink(): Promise<string> {
    const path = await until('a set-up link', () => /\/setup\/[\w-]+/.exec(this.output)?.[0]);
    return this.url + path;
  }

  async stop(): Promise<void> {
    const child = this.process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(impatient);
    }
    this.process = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private storage(): string[] {
    return ['--data-dir', this.folder, '--database', `sqlite://${join(this.folder, 'tieout.db')}`];
  }

  private async answers(before: number): Promise<void> {
    this.url = await until('an address', () => /Listening on (http:\/\/\S+)/.exec(this.output.slice(before))?.[1]);
    this.listen = new URL(this.url).host;
    await until(`an answer from ${this.url}`, async () => {
      const response = await fetch(`${this.url}/healthz`).catch(() => undefined);
      return response?.ok;
    });
  }
}

/** Asks again until there is an answer, for at most 30 seconds. */
async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited 30 seconds for ${what}`);
}
