/**
 * The processes that the bench starts, and their end: whatever happens, none outlives it. Only what was started here is
 * ever stopped.
 */
import { type ChildProcess, fork, type ForkOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ask, type Ready } from './asks.ts'

const running = new Set<ChildProcess>()

/** Keeps an eye on a process until it ends. */
export function watched(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** How long a process may take until it is up, and to end once it was asked to. */
const startMs = 20_000
const endMs = 5000

export interface Started extends Ready {
  readonly child: ChildProcess
  /** Asks it to end, and waits; answers what it said about its run. */
  readonly stop: () => Promise<{ readonly recorded?: number }>
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

async function stop(child: ChildProcess): Promise<{ readonly recorded?: number }> {
  try {
    return await ask(child, 'stop', {}, endMs)
  } finally {
    const timer = setTimeout(() => child.kill('SIGKILL'), endMs)
    if (child.connected) child.disconnect()
    await ended(child)
    clearTimeout(timer)
  }
}

/** Starts one of the bench's own programs, given as a path beside this file; its options are its only argument. */
export const start = (program: string, options: object): Promise<Started> =>
  startProgram(fileURLToPath(new URL(program, import.meta.url)), [JSON.stringify(options)])

/** Starts any program that answers our questions, of itself or because of what it is made to load. */
export function startProgram(
  file: string,
  args: readonly string[],
  options: ForkOptions = {},
): Promise<Started> {
  const stdio: ForkOptions['stdio'] = ['ignore', 'ignore', 'pipe', 'ipc']
  const child = watched(fork(file, [...args], { stdio, ...options }))
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-4000)))
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`${file} ${why}${words === '' ? '' : `:\n${words}`}`))
    }
    const timer = setTimeout(() => fail('did not come up'), startMs)
    const gone = (): void => fail('ended before it was up')
    child.once('exit', gone)
    child.once('message', (ready: Ready) => {
      clearTimeout(timer)
      child.off('exit', gone)
      resolve({ ...ready, child, stop: () => stop(child) })
    })
  })
}

/** Runs a command to its end; answers its wall time, and fails when it does. */
export function timed(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const child = watched(spawn(command, args, { stdio: 'ignore' }))
    const timer = setTimeout(() => child.kill('SIGKILL'), startMs)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      const took = performance.now() - began
      if (code === 0) resolve(took)
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
    })
  })
}
