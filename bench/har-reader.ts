/**
 * Program: reads one HTTP archive (HAR), with our importer or whole by JSON.parse, and prints time and memory. A
 * process of its own, so that its memory is measured alone.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { HarImporter } from '../src/replay/formats/har.ts'

export interface HarReadResult {
  readonly entries: number
  readonly ms: number
  /** Resident memory before reading (`baseMb`) and at its maximum (`mostMb`), in MiB. */
  readonly baseMb: number
  readonly mostMb: number
}

const megabyte = 1024 * 1024
const rss = (): number => process.memoryUsage.rss() / megabyte
const [, , file = '', reader = 'ours'] = process.argv

async function countByImporter(sampleMemory: () => void): Promise<number> {
  const importer = new HarImporter({ now: 0 })
  let entries = 0
  for await (const piece of createReadStream(file)) {
    entries += importer.feed(piece as Buffer).length
    sampleMemory()
  }
  const { remaining: last, problems } = importer.finish()
  if (problems.length > 0) throw new Error(problems[0]?.message)
  return entries + last.length
}

/** Parses the whole archive without converting its entries. */
function countByJsonParse(): number {
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: readonly object[] } }
  return log.entries.length
}

const baseMb = rss()
let mostMb = baseMb
const sampleMemory = (): void => {
  mostMb = Math.max(mostMb, rss())
}
const began = performance.now()
const entries = reader === 'ours' ? await countByImporter(sampleMemory) : countByJsonParse()
const ms = performance.now() - began
sampleMemory()
process.stdout.write(JSON.stringify({ entries, ms, baseMb, mostMb } satisfies HarReadResult))
