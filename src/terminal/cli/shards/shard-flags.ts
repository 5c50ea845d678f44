/** Flags of verbs whose work is done in parts, and of those that merge the parts. */
import type { FlagRow } from '../verb.ts'

export const shardsFlag = {
  name: 'shards',
  value: '<n>',
  summary: 'number of parts, where the environment has only the number of this one',
  number: { min: 1, max: 100_000 },
} as const satisfies FlagRow

export const uploadFlag = {
  name: 'upload',
  path: 'read',
  value: '<url or @file>',
  summary:
    'PUT the file of --out to this URL in the end; {part} in it is the number of the part. @file reads it from a file, which may have a line for each part',
} as const satisfies FlagRow

export const mergeWaitFlag = {
  name: 'wait',
  value: '<time>',
  summary: 'wait until every part is there and has ended, up to this time: 2h',
  isTypedOnly: true,
} as const satisfies FlagRow

export const mergedShardsFlag = {
  ...shardsFlag,
  summary: 'number of parts, for {part} in the name of a file',
} as const satisfies FlagRow

export const partFilesArgument = {
  name: 'file',
  path: 'read',
  summary:
    'files that --out wrote, one of each part, or URLs of them; {part} stands for 1 to --shards, @file reads URLs from a file, one a line',
  required: true,
  many: true,
} as const
