/**
 * Puts bodies into a HAR entry that stand in files beside the archive, as Playwright writes them: `_file` names the file
 * in `response.content` and `request.postData`.
 */
import { decodeUtf8, bytesToBase64 } from '../redaction/base64.ts'
import type { ImporterOptions } from './format.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

/** The member with its text, or unchanged when it names no file or the file is not there. */
function withText(
  content: unknown,
  attachment: ImporterOptions['attachment'],
  warn: (remark: string) => void,
): unknown {
  if (!isUnknownRecord(content) || typeof content['_file'] !== 'string' || 'text' in content)
    return content
  const bytes = attachment?.(content['_file'])
  if (!bytes) {
    warn('a body is in a file, which was not read')
    return content
  }
  const text = decodeUtf8(bytes)
  return text === undefined
    ? { ...content, text: bytesToBase64(bytes), encoding: 'base64' }
    : { ...content, text }
}

/** The same object when no body was attached. */
export function attachHarBodies(
  entry: UnknownRecord,
  attachment: ImporterOptions['attachment'],
  warn: (remark: string) => void,
): UnknownRecord {
  const { request, response } = entry
  const posted = isUnknownRecord(request) ? request['postData'] : undefined
  const content = isUnknownRecord(response) ? response['content'] : undefined
  const newPosted = withText(posted, attachment, warn)
  const newContent = withText(content, attachment, warn)
  if (newPosted === posted && newContent === content) return entry
  return {
    ...entry,
    ...(newPosted === posted ? {} : { request: { ...(request as object), postData: newPosted } }),
    ...(newContent === content
      ? {}
      : { response: { ...(response as object), content: newContent } }),
  }
}
