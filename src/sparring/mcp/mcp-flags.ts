/** The flags of `sparring mcp`, and the options that they are parsed into. */
import { controlFlags, jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import type { OptionsOf } from '../../terminal/cli/verb.ts'

export const mcpFlags = [
  {
    name: 'folder',
    path: 'read',
    value: '<path>',
    summary: 'folder in which files are read and written (default: the current directory)',
  },
  {
    name: 'read-only',
    summary: 'only tools that read: nothing is started, run, changed or written',
  },
  {
    name: 'tool',
    value: '<name>',
    summary: 'only this tool, or all whose name begins so: verdicts, orders; repeatable',
    many: true,
  },
  {
    name: 'allow-target',
    value: '<host>',
    summary:
      'a host besides this machine that doctor and the arguments of calls may name; repeatable',
    many: true,
    isTypedOnly: true,
  },
  ...controlFlags,
  { name: 'list', summary: 'print the tools and end' },
  jsonFlag,
  noColorFlag,
] as const

export type McpOptions = OptionsOf<[], typeof mcpFlags>
