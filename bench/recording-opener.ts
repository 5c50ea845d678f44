/**
 * Opens one recording, looks around in it, and says how long each took and how much memory: a process of its own, whose
 * memory is nobody else's.
 */
import { openRecordingIndex } from '../src/edge/recording/recording-index.ts'

export interface Opened {
  readonly openMs: number
  readonly firstMs: number
  readonly filterMs: number
  readonly textMs: number
  readonly seekMs: number
  readonly count: number
  readonly bytes: number
  readonly found: number
  readonly baseMb: number
  readonly mostMb: number
}

const megabyte = 1024 * 1024
const [, , file = '', needle = ''] = process.argv

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [number, Value]> {
  const began = performance.now()
  const value = await work()
  return [performance.now() - began, value]
}

const baseMb = process.memoryUsage().rss / megabyte
const began = performance.now()
let firstMs = 0
const opened = await openRecordingIndex(file, {
  onFirst: (first) => {
    for (let position = 0; position < 50; position++) first.row(position)
    firstMs = performance.now() - began
  },
})
if (!opened.ok) throw new Error(opened.error)
const index = opened.value
const openMs = performance.now() - began
const [filterMs] = await timed(() => index.filter({ operation: 'confirmOrder', status: '4xx' }))
const [textMs, found] = await timed(() => index.filter({ text: needle }))
let seekMs = 0
for (let step = 1; step <= 20; step++) {
  const time = index.row(Math.floor((index.count * step) / 21)).startedAt
  const [took] = await timed(() => index.at(index.seek(time)))
  // The first pays for opening the file, and for the reading of one line to be compiled.
  if (step > 1) seekMs = Math.max(seekMs, took)
}
const told: Opened = {
  openMs,
  firstMs,
  filterMs,
  textMs,
  seekMs,
  count: index.count,
  bytes: index.bytes,
  found: found.length,
  baseMb,
  mostMb: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(told))
index.close()
