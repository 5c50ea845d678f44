/** Issues of a value in which some parts are not what they were: those that hold whatever stood there. */
import type { z } from 'zod'
import type { ValuePath } from './issue-text.ts'

type Issue = z.core.$ZodIssue

/** What is not known of a value. */
export interface UnknownParts {
  readonly isUnknown: (path: ValuePath) => boolean
  /** Names of members are not known either. */
  readonly hasNames: boolean
}

function isCertain(issue: Issue, parts: UnknownParts, above: ValuePath): boolean {
  const path = [...above, ...issue.path]
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_element':
      return true
    case 'unrecognized_keys':
    case 'invalid_key':
      return !parts.hasNames
    case 'invalid_union':
      return issue.errors.every((branch) => branch.some((each) => isCertain(each, parts, path)))
    default:
      return !parts.isUnknown(path)
  }
}

export const certainIssues = (issues: readonly Issue[], parts: UnknownParts): Issue[] =>
  issues.filter((issue) => isCertain(issue, parts, []))
