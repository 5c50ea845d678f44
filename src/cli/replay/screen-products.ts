/** What can be made of a recording from the dashboard: the verbs do it, and what they would print is shown there. */
import { Writable } from 'node:stream'
import type { DashboardPorts } from '../../dashboard/effects/ports.ts'
import { compact } from '../../compact.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import { exitCode } from '../exit-code.ts'
import type { Interruption, Io } from '../io.ts'
import type { ReplayFlags } from './flags.ts'

/** Text of a verb that is kept. */
const mostText = 100_000

interface Apart extends Disposable {
  readonly io: Io
  readonly lines: () => readonly string[]
}

/** A verb's own io: what it says is kept, and it ends when the dashboard does. */
function apart(io: Io): Apart {
  let text = ''
  const listeners = new Set<(why: Interruption) => void>()
  const keep = (): Writable =>
    new Writable({
      write(chunk: Buffer | string, _encoding, done) {
        text = (text + String(chunk)).slice(-mostText)
        done()
      },
    })
  return {
    io: {
      ...io,
      stdout: keep(),
      stderr: keep(),
      isTTY: false,
      color: false,
      onInterrupt(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      exit: () => undefined,
    },
    lines: () => text.split('\n').filter((line) => line !== ''),
    [Symbol.dispose]() {
      for (const listener of listeners) listener('closed')
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Whoever disposes of it waits until what was being made has been broken off: no half file stays. */
export interface Makes extends AsyncDisposable {
  readonly ports: Pick<DashboardPorts, 'exportRecording' | 'minimise'>
}

export function createMakes(flags: ReplayFlags, io: Io): Makes {
  const running = new Map<Apart, Promise<unknown>>()

  function lone<Value>(work: (own: Apart) => Promise<Value>): Promise<Result<Value, string>> {
    const own = apart(io)
    const made = work(own)
      .then(ok, (error: unknown) => no(messageOf(error)))
      .finally(() => running.delete(own))
    running.set(own, made)
    return made
  }

  const { recording, to, role, rules, seed, fault, config } = flags
  const exportRecording = (output: string): Promise<Result<string, string>> =>
    lone(async (own) => {
      const { runExport } = await import('../formats/run-export.ts')
      await runExport({ recording, output }, own.io)
      return own.lines().at(-1) ?? output
    })
  const minimise: DashboardPorts['minimise'] = async (onNews) => {
    const made = await lone(async (own) => {
      const { runMinimise } = await import('../minimise/run-minimise.ts')
      const allowed = flags['allow-target']
      const told = compact({ to, role, rules, seed, fault, config, 'allow-target': allowed })
      const code = await runMinimise({ recording, as: 'client', ...told }, own.io, onNews)
      return code === exitCode.done ? own.lines() : [...own.lines(), `It ended with ${code}.`]
    })
    return made
  }
  return {
    ports: to === undefined ? { exportRecording } : { exportRecording, minimise },
    async [Symbol.asyncDispose]() {
      const all = [...running.values()]
      for (const own of running.keys()) own[Symbol.dispose]()
      await Promise.all(all)
    },
  }
}
