/** The last pass over a recording in a folder: the bodies in files of their own, then the segments that name them. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodeUtf8 } from '../../traffic/redaction/base64.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'
import { blobFolder, listSegments } from './recording-names.ts'
import { type LastPassOptions, replaceKnownInFile } from './replace-known-in-file.ts'
import { writeAtomically } from './write-atomically.ts'

const blobName = /^[\da-f]{64}$/

/** Undefined when nothing had to be replaced. */
function replaceInBlob(
  bytes: Uint8Array,
  { known, replaceKnown }: Redactor,
): Uint8Array | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return known?.replaceInBytes(bytes, () => undefined)
  const { value } = replaceKnown(text)
  return value === text ? undefined : Buffer.from(value)
}

/** A body is named by its hash, so a changed one gets another name, which is replaced in the lines as well. */
async function replaceInBlobs(
  folder: string,
  { redactor, disk }: LastPassOptions,
): Promise<readonly string[]> {
  const blobs = join(folder, blobFolder)
  const replaced: string[] = []
  if (!existsSync(blobs)) return replaced
  for (const name of readdirSync(blobs)) {
    if (!blobName.test(name)) continue
    const bytes = readFileSync(join(blobs, name))
    const next = replaceInBlob(bytes, redactor)
    if (!next) continue
    const renamed = createHash('sha256').update(next).digest('hex')
    await writeAtomically(join(blobs, renamed), disk, ({ write }) => write(Buffer.from(next)))
    redactor.known?.learn('secret', { id: 'secret', value: name, replacement: renamed })
    replaced.push(join(blobs, name))
  }
  return replaced
}

/** \`upTo\` is the number of a segment. */
export async function replaceKnownInFolder(
  folder: string,
  { redactor, disk, upTo = Number.POSITIVE_INFINITY }: LastPassOptions,
): Promise<void> {
  const replaced = await replaceInBlobs(folder, { redactor, disk })
  for (const { file, number } of listSegments(folder))
    if (number <= upTo || replaced.length > 0) await replaceKnownInFile(file, { redactor, disk })
  // Only now does no line name them.
  for (const file of replaced) rmSync(file)
}
