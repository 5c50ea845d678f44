/** Parses and validates a request body by the operation's schema. Independent of single operations. */
import { invalidBodyText, noJsonText } from '../../rules/diagnosis/requests/refused-request.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { maxNestingLevels } from '../../protocol/nesting.ts'
import type { Operation } from '../../protocol/operation.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { BodyTranslator } from '../../protocol/translation/translator.ts'

/** Whether brackets outside strings nest deeper than allowed. */
export function isTooDeep(text: string): boolean {
  if (text.length <= maxNestingLevels) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > maxNestingLevels) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

/** What a body begins with that is no JSON since it is encoded otherwise. */
const encodings: readonly (readonly [begin: RegExp, text: string])[] = [
  [/^\u{1F}[\u{FFFD}\u{8B}]/u, 'the body is compressed with gzip'],
  [/^x[\u{1}\u{5E}\u{9C}\u{DA}\u{FFFD}]/u, 'the body is compressed with deflate'],
  [/^\u{FEFF}/u, 'the body begins with a byte order mark (U+FEFF)'],
  [/^(?:\u{FFFD}\u{FFFD})?(?:[^\0]\0|\0[^\0])/u, 'the body is UTF-16'],
]

const otherEncoding = (text: string): string | undefined => {
  const found = encodings.find(([begin]) => begin.test(text))
  return found && `${found[1]}, and bodies are read as they are: send plain JSON in UTF-8`
}

export interface ParsedBody {
  /** As the schema of the operation reads it; undefined for an operation without a body. */
  readonly value: unknown
  /** As it was sent, in the names of the documents; an empty object for none. */
  readonly sent: unknown
}

const noBody: ParsedBody = { value: undefined, sent: {} }

export function parseRequestBody(
  text: string,
  contentType: string | undefined,
  { id, request: schema, form }: Pick<Operation, 'id' | 'request' | 'form'>,
  translator?: BodyTranslator,
): Result<ParsedBody, string> {
  if (!schema) return ok(noBody)
  let value: unknown
  const type = contentType?.toLowerCase()
  if (form && type?.startsWith('application/x-www-form-urlencoded'))
    value = Object.fromEntries(new URLSearchParams(text))
  else if (text !== '') {
    // A missing Content-Type means JSON; another type is rejected (TRN-HDR-02).
    if (type !== undefined && type !== '' && !type.includes('json'))
      return err(`Content-Type is ${contentType?.slice(0, 100)}; send application/json`)
    if (isTooDeep(text)) return err(`the body is nested deeper than ${maxNestingLevels} levels`)
    try {
      value = JSON.parse(text)
    } catch (error) {
      const other = otherEncoding(text)
      if (other !== undefined) return err(other)
      return err(`${noJsonText}: ${error instanceof Error ? error.message : 'unreadable'}`)
    }
  }
  const sent = translator?.fromWire(id, 'request', value) ?? value ?? {}
  // With only optional fields the body may be missing; else the schema names the missing field.
  const parsed = schema().safeParse(sent)
  return parsed.success
    ? ok({ value: parsed.data, sent })
    : err(`${invalidBodyText} at ${jsonProblemText(parsed.error, sent)}`)
}
