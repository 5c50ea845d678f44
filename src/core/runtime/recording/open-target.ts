/** Opens the target of a recording: one file, or a folder of segments. */
import { ok, type Result } from '../../protocol/result.ts'
import type { AppenderOptions } from './appender.ts'
import { createFileTarget } from './file-target.ts'
import { createFolderTarget, type SegmentOptions } from './folder-target.ts'
import { openRecordingFile, type RecordingFileOptions } from './recording-file.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { isRecordingFolder } from './recording-names.ts'
import type { RecordingTarget } from './recording-target.ts'

export type TargetOptions = RecordingFileOptions & {
  readonly appender?: AppenderOptions
  readonly segments?: SegmentOptions
}

export function openTarget(options: TargetOptions): Result<RecordingTarget, string> {
  if (isRecordingFolder(options.file)) {
    const opened = openRecordingFolder(options)
    return opened.ok
      ? ok(createFolderTarget(opened.value, options.appender, options.segments))
      : opened
  }
  const opened = openRecordingFile(options)
  return opened.ok ? ok(createFileTarget(opened.value, options.appender)) : opened
}
