/** Parses and validates a request body by the operation's schema. Independent of single operations. */
import { invalidBodyText, noJsonText } from '../../diagnosis/requests/refused-request.ts'
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

export function parseRequestBody(
  text: string,
  contentType: string | undefined,
  { id, request: schema, form }: Pick<Operation, 'id' | 'request' | 'form'>,
  translator?: BodyTranslator,
): Result<unknown, string> {
  if (!schema) return ok(undefined)
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
      return err(`${noJsonText}: ${error instanceof Error ? error.message : 'unreadable'}`)
    }
  }
  const body = translator?.fromWire(id, 'request', value) ?? value ?? {}
  // With only optional fields the body may be missing; else the schema names the missing field.
  const parsed = schema().safeParse(body)
  return parsed.success
    ? ok(parsed.data)
    : err(`${invalidBodyText} at ${jsonProblemText(parsed.error, body)}`)
}
