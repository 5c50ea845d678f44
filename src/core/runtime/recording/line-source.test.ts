/** Text compressed by other programs: members without a size, and corrupt ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLineSource } from './line-source.ts'

let cwd = ''
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'sparring-source-'))))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** As `zstd` compresses piped input: of unknown size. */
const piped = (text: string): Promise<Buffer> =>
  buffer(Readable.from([Buffer.from(text)]).pipe(createZstdCompress()))

async function textOf(bytes: Buffer) {
  const file = join(cwd, 'packed')
  writeFileSync(file, bytes)
  const problems: string[] = []
  const source = await openLineSource(file, (message) => problems.push(message))
  const pieces: Buffer[] = []
  for await (const block of source.blocks(0)) pieces.push(Buffer.from(block.bytes))
  source.close()
  return { text: Buffer.concat(pieces).toString('utf8'), problems }
}

test('independently compressed, concatenated members are all decompressed', async () => {
  const pieces = await Promise.all(['one\n', 'two\n', 'three\n'].map(piped))
  expect(await textOf(Buffer.concat(pieces))).toEqual({ text: 'one\ntwo\nthree\n', problems: [] })
})

test('a corrupt member is reported, and those after it are decompressed', async () => {
  const [first, second, third] = await Promise.all(['one\n', 'two\n', 'three\n'].map(piped))
  // After magic, descriptor and window: an invalid block type.
  second!.writeUInt8(second!.readUInt8(6) | 6, 6)
  const { text, problems } = await textOf(Buffer.concat([first!, second!, third!]))
  expect(text).toBe('one\nthree\n')
  expect(problems).toEqual([
    expect.stringMatching(/^it cannot be decompressed beyond byte \d+ of its text \(/),
  ])
})
