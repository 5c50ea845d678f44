/** Uploads the file of `--out` after the work that writes it, as `--upload` asks for. */
import { resolve } from 'node:path'
import type { Shard } from './shard.ts'
import { problem } from '../../../core/base/problem.ts'
import type { ExitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { putFile } from './bucket-transfer.ts'
import { shownUrl, uploadUrlOf } from './part-urls.ts'

interface UploadFlags {
  readonly out?: string
  readonly upload?: string
  readonly quiet?: true
}

/**
 * What an interrupted part has done is uploaded too: a merge sees that it has not ended. Without the upload the merge does not get what was
 * found, so that its problem stands before the exit code of the work.
 */
export async function withUpload(
  { out, upload, quiet }: UploadFlags,
  shard: Shard | undefined,
  io: Io,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (upload === undefined) return work()
  if (out === undefined)
    throw problem(
      'reading --upload',
      'nothing is written that could be uploaded',
      'Name a file with --out.',
    )
  const url = await uploadUrlOf(upload, io.cwd, shard)
  const code = await work()
  await putFile(url, resolve(io.cwd, out))
  if (quiet !== true) await printLine(io.stderr, `sparring: uploaded ${out} to ${shownUrl(url)}`)
  return code
}
