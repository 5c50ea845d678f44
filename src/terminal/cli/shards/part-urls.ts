/** URLs of parts in a bucket: as they are written, or read from a file, such as a mounted secret. */
import { resolve } from 'node:path'
import { readTextFile } from '../../../core/runtime/files/text-file.ts'
import { nameOfPart, type Shard } from './shard.ts'
import { problem } from '../../../core/base/problem.ts'

export const isPartUrl = (text: string): boolean => /^https?:\/\//.test(text)

/** Without the query, which holds the signature. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

function checkedUrl(text: string, attempted: string): string {
  if (isPartUrl(text) && URL.canParse(text)) return text
  throw problem(attempted, 'it is no URL', 'Write https://bucket.example/part-{part}.ndjson.')
}

/** The lines of a file of URLs; those that are blank or begin with # are left out. */
export async function readUrlLines(file: string, cwd: string): Promise<readonly string[]> {
  const text = await readTextFile(file, resolve(cwd, file))
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw problem(
      `reading ${file}`,
      'it has no URL',
      'Write one in it, or one a line for each part.',
    )
  return lines
}

/** The URL that a part is uploaded to: `--upload`. */
export async function uploadUrlOf(
  text: string,
  cwd: string,
  shard: Shard = { part: 1, of: 1 },
): Promise<string> {
  if (!text.startsWith('@')) return checkedUrl(nameOfPart(text, shard), 'reading --upload')
  const file = nameOfPart(text.slice(1), shard)
  const lines = await readUrlLines(file, cwd)
  const [only = ''] = lines
  if (lines.length === 1) return checkedUrl(nameOfPart(only, shard), `reading ${file}`)
  const line = lines[shard.part - 1]
  if (line === undefined)
    throw problem(
      `reading ${file}`,
      `it has ${lines.length} URLs, and this is part ${shard.part}`,
      'Give each part a line.',
    )
  return checkedUrl(nameOfPart(line, shard), `reading ${file}`)
}
