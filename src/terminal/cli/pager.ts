/** Shows a text in the user's pager: `$PAGER`, else `less`. It is printed where there is no pager, or where it fits the screen. */
import { spawn } from 'node:child_process'
import { type Io, isTerminal, printLine } from './io.ts'

/** Whether the pager has shown the text. */
function runPager(pager: string, text: string, env: Io['env']): Promise<boolean> {
  // Ctrl-C reaches the shell as well, and must not end it before the pager.
  const child = spawn('/bin/sh', ['-c', `trap : INT; ${pager}`], {
    env: { ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => {
    // Who has read enough closes the pager before all is written.
    child.stdin.on('error', () => undefined)
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code !== 126 && code !== 127))
    child.stdin.end(`${text}\n`)
  })
}

export async function showInPager(text: string, io: Io): Promise<void> {
  const { env, rows, isTTY, stdout, aside = (during) => during() } = io
  const pager = env['PAGER'] ?? 'less -R'
  const isLong = text.split('\n').length >= rows
  const hasPager =
    isTTY && isTerminal(stdout) && process.platform !== 'win32' && pager.trim() !== ''
  if (!isLong || !hasPager || !(await aside(() => runPager(pager, text, env))))
    await printLine(stdout, text)
}
