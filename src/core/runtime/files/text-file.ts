/** Reads a file that a person writes as UTF-8 text, without its byte order mark. */
import { Buffer, isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Problem } from '../../base/problem.ts'
import { errorCode, fileProblem } from './file-problem.ts'

/** The bytes of a text in UTF-8; `file` is the name in messages. */
export async function readTextBytes(file: string, path: string): Promise<Buffer> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    throw new Problem(`${fileProblem(`reading ${file}`, error)}.`, 2)
  }
  // Decoded as UTF-8 anyway, characters would be lost and values changed silently.
  if (!isUtf8(bytes))
    throw new Problem(`reading ${file}: it is no UTF-8 text. Save it as UTF-8.`, 2)
  return bytes
}

/** The text of these bytes, without a byte order mark. */
export const textOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')

export const readTextFile = async (file: string, path: string): Promise<string> =>
  textOfBytes(await readTextBytes(file, path))
