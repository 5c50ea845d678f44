/** The dashboard's actions on a recording, export and minimise: they run the verbs and capture their output. */
import { Writable } from 'node:stream'
import type { DashboardPorts } from '../../../terminal/dashboard/effects/ports.ts'
import { compact } from '../../../core/base/compact.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import type { Interruption, Io } from '../../../terminal/cli/io.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import type { ReplayFlags } from './flags.ts'

/** Characters of a verb's output that are kept. */
const maxTextChars = 100_000

interface CapturedIo extends Disposable {
  readonly io: Io
  readonly lines: () => readonly string[]
}

/** An `Io` for a verb that captures its output; disposing of it interrupts the verb. */
function captureIo(io: Io): CapturedIo {
  let text = ''
  const listeners = new Set<(why: Interruption) => void>()
  const captureStream = (): Writable =>
    new Writable({
      write(chunk: Buffer | string, _encoding, done) {
        text = (text + String(chunk)).slice(-maxTextChars)
        done()
      },
    })
  return {
    io: {
      ...io,
      stdout: captureStream(),
      stderr: captureStream(),
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

/** Disposing of it interrupts running actions and waits for them, so that no partial file stays. */
export interface ScreenActions extends AsyncDisposable {
  readonly ports: Pick<DashboardPorts, 'exportRecording' | 'minimise'>
}

export function createScreenActions(
  flags: ReplayFlags,
  io: Io,
  /** Leaves the ports to the replays of a search. */
  withoutPorts: PreparedSession['withoutPorts'] = (work) => work(),
): ScreenActions {
  const running = new Map<CapturedIo, Promise<unknown>>()

  function runCaptured<Value>(
    work: (captured: CapturedIo) => Promise<Value>,
  ): Promise<Result<Value, string>> {
    const captured = captureIo(io)
    const result = work(captured)
      .then(ok, (error: unknown) => err(messageOf(error)))
      .finally(() => running.delete(captured))
    running.set(captured, result)
    return result
  }

  const { recording, to, as, rules, seed, fault, config, port } = flags
  const exportRecording = (output: string): Promise<Result<string, string>> =>
    runCaptured(async (captured) => {
      const { runExport } = await import('../formats/run-export.ts')
      await runExport({ recording, output }, captured.io)
      return captured.lines().at(-1) ?? output
    })
  const minimise: DashboardPorts['minimise'] = async (onNews, place) => {
    const result = await runCaptured(async (captured) => {
      const { runMinimise } = await import('../minimise/run-minimise.ts')
      const allowed = flags['allow-target']
      const given = compact({ to, as, rules, seed, fault, config, port, 'allow-target': allowed })
      const code = await withoutPorts(() =>
        runMinimise({ recording, driver: 'client', place, ...given }, captured.io, onNews),
      )
      return code === exitCode.done
        ? captured.lines()
        : [...captured.lines(), `It ended with ${code}.`]
    })
    return result
  }
  return {
    ports: to === undefined ? { exportRecording } : { exportRecording, minimise },
    async [Symbol.asyncDispose]() {
      const all = [...running.values()]
      for (const captured of running.keys()) captured[Symbol.dispose]()
      await Promise.all(all)
    },
  }
}
