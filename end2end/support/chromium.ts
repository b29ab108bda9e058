import { existsSync } from 'node:fs';

/** Debian's Chromium, or the one named by CHROMIUM. Playwright's own download is not used. */
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

if (!existsSync(executablePath)) {
  throw new Error(`no browser at ${executablePath}: install Debian's chromium, or set CHROMIUM`);
}

export const launchOptions = {
  executablePath,
  args: [
    // The sandbox refuses to start as root, which CI is.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
