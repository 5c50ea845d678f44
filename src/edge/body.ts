/** A request's body: text into a value, with the reason when it is none. Nothing here knows an operation by name. */
import type { z } from 'zod'
import type { Operation } from '../protocol/operation.ts'
import { no, ok, type Result } from '../protocol/result.ts'

/** Nesting at most: deeper JSON parses, but whatever walks it later would overflow the stack. */
const mostNesting = 100

/** Whether brackets outside strings open more levels than allowed. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > mostNesting) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

/** The first thing that is wrong with a value, and where. */
function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  const path = issue?.path.join('.')
  return path ? `${path}: ${issue?.message}` : (issue?.message ?? 'it does not fit')
}

export function readBody(
  text: string,
  contentType: string | undefined,
  { request: schema, form }: Pick<Operation, 'request' | 'form'>,
): Result<unknown, string> {
  if (!schema) return ok(undefined)
  let value: unknown
  if (form && contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded'))
    value = Object.fromEntries(new URLSearchParams(text))
  else if (text !== '') {
    if (isTooDeep(text)) return no(`the body is nested deeper than ${mostNesting} levels`)
    try {
      value = JSON.parse(text)
    } catch (error) {
      return no(`the body is no JSON: ${error instanceof Error ? error.message : 'unreadable'}`)
    }
  }
  // A call whose fields are all optional may come without a body; one that needs any says which.
  const parsed = schema.safeParse(value ?? {})
  return parsed.success ? ok(parsed.data) : no(`the body is invalid at ${firstIssue(parsed.error)}`)
}
