/** The error message for an invalid fault specification, with a suggestion. */
import type { z } from 'zod'
import { findClosestName } from '../protocol/closest-name.ts'

type Issue = z.core.$ZodIssue

/** Of the alternatives of a union, the issue of the nearest one. */
function nearestIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const nearest = issue.errors
    .map(([first]) => first)
    .filter((each) => each !== undefined)
    .toSorted((a, b) => nearness(b) - nearness(a))[0]
  return nearest ? nearestIssue({ ...nearest, path: [...issue.path, ...nearest.path] }) : issue
}

/** A deep issue means that the outer shape matched; a wrong type means that it did not. */
const nearness = ({ code, path }: Issue): number =>
  path.length + (code === 'invalid_type' ? 0 : 0.5)

function unknownOption(key: string, names: readonly string[]): string {
  const closestName = findClosestName(key, names)
  const suggestion = closestName === undefined ? '' : ` (is ${closestName} meant?)`
  return `has no option "${key}"${suggestion}: it takes ${names.join(', ')}`
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
}

export function specProblem(options: unknown, names: readonly string[], error: z.ZodError): string {
  const [first] = error.issues
  if (!first) return 'cannot be so'
  const issue = nearestIssue(first)
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return unknownOption(issue.keys[0] ?? '', names)
  if (issue.path.length === 0)
    return `cannot be so: its options are an object, not ${shown(options)}`
  const expected = issue.code === 'invalid_value' ? issue.values.map(String) : []
  const value = valueAt(options, issue.path)
  const closestName = typeof value === 'string' ? findClosestName(value, expected) : undefined
  const suggestion = closestName === undefined ? '' : `; is ${closestName} meant?`
  const problem =
    expected.length > 0
      ? `${shown(value)} is none of ${expected.slice(0, 12).join(', ')}${expected.length > 12 ? ' …' : ''}${suggestion}`
      : issue.message.startsWith(shown(value))
        ? issue.message
        : `${shown(value)}: ${issue.message}`
  return `cannot be so at ${issue.path.join('.')}: ${problem}`
}
