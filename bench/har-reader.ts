/**
 * Reads one HTTP archive, with our importer or whole by the machine's own reader, and says how long that took and how
 * much memory: a process of its own, whose memory is nobody else's.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { createHarImporter } from '../src/traffic/formats/har-import.ts'

export interface HarRead {
  readonly entries: number
  readonly ms: number
  /** Before anything was read, and at most. */
  readonly baseMb: number
  readonly mostMb: number
}

const megabyte = 1024 * 1024
const rss = (): number => process.memoryUsage.rss() / megabyte
const [, , file = '', how = 'ours'] = process.argv

async function ours(seen: () => void): Promise<number> {
  const importer = createHarImporter({ now: 0 })
  let entries = 0
  for await (const piece of createReadStream(file)) {
    entries += importer.feed(piece as Buffer).length
    seen()
  }
  const { remaining: last, problems } = importer.finish()
  if (problems.length > 0) throw new Error(problems[0]?.message)
  return entries + last.length
}

/** Every entry as an object, and nothing made of it. */
function whole(): number {
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: readonly object[] } }
  return log.entries.length
}

const baseMb = rss()
let mostMb = baseMb
const seen = (): void => {
  mostMb = Math.max(mostMb, rss())
}
const began = performance.now()
const entries = how === 'ours' ? await ours(seen) : whole()
const ms = performance.now() - began
seen()
process.stdout.write(JSON.stringify({ entries, ms, baseMb, mostMb } satisfies HarRead))
