/** Chooses the tools that `--read-only` and `--tool` leave. */
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { problem } from '../../core/base/problem.ts'
import type { Verb } from '../../terminal/cli/verb.ts'
import type { McpOptions } from './mcp-flags.ts'
import { createTools, type Tool } from './tool.ts'
import { toolRows } from './tool-rows.ts'

const isMeant = (name: string, wanted: string): boolean =>
  name === wanted || name.startsWith(`${wanted}_`)

export function chooseTools(
  { tool: wanted, 'read-only': readOnly }: Pick<McpOptions, 'tool' | 'read-only'>,
  verbs: readonly Verb[],
): readonly Tool[] {
  const names = toolRows.map(({ name }) => name)
  for (const each of wanted ?? [])
    if (!names.some((name) => isMeant(name, each))) {
      const near = findClosestName(each, names)
      throw problem(
        'reading --tool',
        `there is no tool "${each}"`,
        near === undefined ? 'See sparring mcp --list.' : `Did you mean ${near}?`,
      )
    }
  const rows = toolRows.filter(
    ({ name, effect }) =>
      (!readOnly || effect === 'reads') &&
      (wanted === undefined || wanted.some((each) => isMeant(name, each))),
  )
  return createTools(verbs, rows)
}
