/** Loads a recording for a report; a file of another format is imported into a temporary one first. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { Problem } from '../../core/base/problem.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { isKnownImport } from './known-import.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'

const discard = (): NodeJS.WritableStream =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })

/** The recording that an import makes; notices of the import go to stderr, its summary nowhere. */
async function importedContent(file: string, io: Io): Promise<RecordingContent> {
  using folder = openTemporaryFolder('report')
  const output = join(folder.path, 'imported.rec.ndjson')
  const { runImport } = await import('../../replay/cli/formats/run-import.ts')
  const code = await runImport({ file, output }, { ...io, stdout: discard() })
  if (code === exitCode.interrupted) throw new Problem('importing: it was interrupted', code)
  const read = await readRecording(output)
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

/** The content under the name that was typed. */
export async function loadRecordedTraffic(file: string, io: Io): Promise<RecordingContent> {
  const path = resolve(io.cwd, file)
  const isOther =
    existsSync(path) && statSync(path).isFile() && (await isKnownImport({ file, path }, io))
  if (isOther) return importedContent(file, io)
  const read = await readRecording(path)
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}
