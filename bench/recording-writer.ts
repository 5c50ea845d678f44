/**
 * Program: records exchanges at the full speed of the recorder, with redaction, and prints throughput, CPU and memory.
 * A process of its own, so that its CPU is measured alone.
 */
import { randomBytes } from 'node:crypto'
import { createRecorder } from '../src/core/runtime/recording/recorder.ts'
import { redactionKeyFrom } from '../src/core/runtime/recording/redaction-key.ts'
import type { SyncPolicy } from '../src/core/runtime/recording/appender.ts'
import { benchExchange, benchT0 } from './synthetic-recording.ts'

export interface RecordingWriteResult {
  readonly perSecond: number
  /** CPU of this process over all threads, per exchange. */
  readonly cpuMicros: number
  readonly mostMb: number
}

const [, , file = '', count = '0', sync = 'timer'] = process.argv

/** Records `total` exchanges, numbered after `from`, as fast as the recorder takes them. */
async function recordExchanges(to: string, from: number, total: number): Promise<void> {
  const made = createRecorder({
    file: to,
    t0: benchT0,
    redact: true,
    key: redactionKeyFrom(randomBytes(32)),
    appender: { sync: sync as SyncPolicy },
    info: {
      name: 'bench',
      tool: 'sparring/bench',
      protocol: { name: 'protocol', version: 'v2' },
      parties: [],
    },
  })
  if (!made.ok) throw new Error(made.error)
  const recorder = made.value
  for (let seq = from + 1; seq <= from + total; seq++) {
    recorder.record(benchExchange(seq))
    // As many as a session would have queued.
    while (recorder.stats().queued > 1000)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
  }
  const { written, dropped } = await recorder.close()
  if (written !== total || dropped !== 0) throw new Error(`${written} of ${total} were written`)
}

const total = Number(count)
// A long-running process has compiled its code: warm up first.
const warmUp = Math.min(5000, total)
await recordExchanges(file.replace(/\/?$/, '-warm$&'), 0, warmUp)
const began = performance.now()
const cpu = process.cpuUsage()
await recordExchanges(file, warmUp, total)
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(cpu)
const result: RecordingWriteResult = {
  perSecond: total / seconds,
  cpuMicros: (user + system) / total,
  mostMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(result))
