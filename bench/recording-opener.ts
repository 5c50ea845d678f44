/**
 * Program: opens one recording, filters it and seeks in it, and prints times and memory. A process of its own, so that
 * its memory is measured alone.
 */
import { openRecordingIndex } from '../src/core/runtime/recording/recording-index.ts'

export interface RecordingOpenResult {
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

async function measureMs<Value>(work: () => Promise<Value>): Promise<readonly [number, Value]> {
  const began = performance.now()
  const value = await work()
  return [performance.now() - began, value]
}

const baseMb = process.memoryUsage().rss / megabyte
const began = performance.now()
const opened = await openRecordingIndex(file, { first: 1000 })
if (!opened.ok) throw new Error(opened.error)
const index = opened.value
for (let position = 0; position < 50; position++) index.row(position)
const firstMs = performance.now() - began
await index.refresh()
const openMs = performance.now() - began
const [filterMs] = await measureMs(() => index.filter({ operation: 'confirmOrder', status: '4xx' }))
const [textMs, found] = await measureMs(() => index.filter({ text: needle }))
let seekMs = 0
for (let step = 1; step <= 20; step++) {
  const time = index.row(Math.floor((index.count * step) / 21)).startedAt
  const [took] = await measureMs(() => index.at(index.seek(time)))
  // The first seek also opens the file and compiles the reading of a line.
  if (step > 1) seekMs = Math.max(seekMs, took)
}
const result: RecordingOpenResult = {
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
process.stdout.write(JSON.stringify(result))
index.close()
