/** Starts child processes and ends them: none outlives the bench, and only processes started here are killed. */
import { type ChildProcess, fork, type ForkOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { callChild, type ChildReady } from './ipc.ts'

const running = new Set<ChildProcess>()

/** Tracks a process until it ends. */
export function trackChild<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Milliseconds until a process must be ready, and until it must have ended after `stop`. */
const startTimeoutMs = 20_000
const stopTimeoutMs = 5000

export interface StartedChild extends ChildReady {
  readonly child: ChildProcess
  /** Shuts it down and waits for its end; returns the reply to `stop`. */
  readonly stop: () => Promise<{ readonly recorded?: number }>
}

export const waitForExit = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

async function stop(child: ChildProcess): Promise<{ readonly recorded?: number }> {
  try {
    return await callChild(child, 'stop', {}, stopTimeoutMs)
  } finally {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    if (child.connected) child.disconnect()
    await waitForExit(child)
    clearTimeout(timer)
  }
}

/** Starts a program of the bench, given as a path relative to this file; the options are its only argument, as JSON. */
export const startChild = (program: string, options: object): Promise<StartedChild> =>
  startChildProgram(fileURLToPath(new URL(program, import.meta.url)), [JSON.stringify(options)])

/** Starts a program that serves our IPC calls, by itself or through a preloaded module. */
export function startChildProgram(
  file: string,
  args: readonly string[],
  options: ForkOptions = {},
): Promise<StartedChild> {
  const stdio: ForkOptions['stdio'] = ['ignore', 'ignore', 'pipe', 'ipc']
  const child = trackChild(fork(file, [...args], { stdio, ...options }))
  let errorOutput = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (errorOutput = `${errorOutput}${chunk.toString()}`.slice(-4000)),
  )
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`${file} ${reason}${errorOutput === '' ? '' : `:\n${errorOutput}`}`))
    }
    const timer = setTimeout(() => fail('did not come up'), startTimeoutMs)
    const onExit = (): void => fail('ended before it was up')
    child.once('exit', onExit)
    child.once('message', (ready: ChildReady) => {
      clearTimeout(timer)
      child.off('exit', onExit)
      resolve({ ...ready, child, stop: () => stop(child) })
    })
  })
}

/** Runs a command to its end; returns the wall time in milliseconds and rejects on an exit code other than 0. */
export function timeCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const child = trackChild(spawn(command, args, { stdio: 'ignore', env }))
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      const took = performance.now() - startedAt
      if (code === 0) resolve(took)
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
    })
  })
}
