/**
 * Records so many exchanges as fast as they are taken, through the real recorder with its redaction, and says what that
 * took: a process of its own, whose processor time is nobody else's.
 */
import { randomBytes } from 'node:crypto'
import { createRecorder } from '../src/edge/recording/recorder.ts'
import { redactionKeyFrom } from '../src/edge/recording/redaction-key.ts'
import type { SyncPolicy } from '../src/edge/recording/disk-sync.ts'
import { benchExchange, benchT0 } from './recordings.ts'

export interface Written {
  readonly perSecond: number
  /** Of this process with all its threads, for each exchange. */
  readonly cpuMicros: number
  readonly mostMb: number
}

const [, , file = '', count = '0', sync = 'timer'] = process.argv

/** Records so many, whose numbers go on from there; the pace is that of the recorder. */
async function write(to: string, from: number, total: number): Promise<void> {
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
    // As many as a session would have waiting at once.
    while (recorder.stats().queued > 1000)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
  }
  const { written, dropped } = await recorder.close()
  if (written !== total || dropped !== 0) throw new Error(`${written} of ${total} were written`)
}

const total = Number(count)
// What runs for long was compiled long ago.
const warmUp = Math.min(5000, total)
await write(file.replace(/\/?$/, '-warm$&'), 0, warmUp)
const began = performance.now()
const cpu = process.cpuUsage()
await write(file, warmUp, total)
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(cpu)
const told: Written = {
  perSecond: total / seconds,
  cpuMicros: (user + system) / total,
  mostMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(told))
