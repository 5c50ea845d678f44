/** Shows a text in the user's pager: `$PAGER`, else `less`. It is printed where there is no pager, or where it fits the screen. */
import { spawn } from 'node:child_process'
import { type Io, isTerminal, printLine } from './io.ts'

/** Whether the pager has shown the text. */
async function runPager(pager: string, text: string, { env, onInterrupt }: Io): Promise<boolean> {
  // Ctrl-C reaches every program of the terminal, and is meant for the pager.
  const child = spawn('/bin/sh', ['-c', `trap : INT; ${pager}`], {
    env: { ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const off = onInterrupt((why) => void (why === 'SIGINT' || child.kill()))
  child.stdin.on('error', () => undefined) // It is closed before all is read.
  child.stdin.end(`${text}\n`)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127)).once('exit', resolve)
  })
  off()
  return code !== 126 && code !== 127
}

export async function showInPager(text: string, io: Io): Promise<void> {
  const { env, rows, isTTY, stdout } = io
  const pager = env['PAGER'] ?? 'less -R'
  const isLong = text.split('\n').length >= rows
  const hasPager =
    isTTY && isTerminal(stdout) && process.platform !== 'win32' && pager.trim() !== ''
  if (!isLong || !hasPager || !(await runPager(pager, text, io))) await printLine(stdout, text)
}
