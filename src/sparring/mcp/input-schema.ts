/** The JSON Schema of a tool's arguments, from the arguments and flags of its verbs. */
import { choiceTexts } from '../verbs/support/flag-value.ts'
import type { ArgumentRow, FlagRow } from '../../terminal/cli/verb.ts'
import type { Tool, ToolVerb } from './tool.ts'

type JsonSchema = Readonly<Record<string, unknown>>

interface Described {
  readonly schema: JsonSchema
  readonly summary: string
}

const hasAliases = ({ aliases }: ArgumentRow | FlagRow): boolean => aliases !== undefined

/** One value. Other names of choices are understood too, so a choice that has some lists them in its description. */
function valueSchema(row: ArgumentRow | FlagRow): JsonSchema {
  // A choice or a file is any text.
  if (row.choices && !row.path) return { type: 'string', enum: row.choices }
  const number = 'number' in row ? row.number : undefined
  if (number)
    return {
      type: number.fraction ? 'number' : 'integer',
      minimum: number.min,
      ...(number.max < Number.MAX_SAFE_INTEGER ? { maximum: number.max } : {}),
    }
  return { type: 'string' }
}

/** Flags without a value are switches; arguments always have one. */
const isSwitch = (row: ArgumentRow | FlagRow, isArgument: boolean): boolean =>
  !isArgument && !('value' in row)

function describe(row: ArgumentRow | FlagRow, isArgument: boolean): Described {
  const value = valueSchema(row)
  const others = hasAliases(row) ? `: ${choiceTexts(row).join(', ')}` : ''
  const form = 'value' in row && (!row.choices || row.path) ? `${row.value} ` : ''
  return {
    schema: isSwitch(row, isArgument)
      ? { type: 'boolean' }
      : row.many
        ? { type: 'array', items: value }
        : value,
    summary: `${form}${row.summary.replace(/; repeatable$/, '')}${others}`,
  }
}

const describedBy = ({
  arguments: rows,
  flags,
}: ToolVerb): readonly (readonly [string, Described])[] => [
  ...rows.map((row) => [row.name, describe(row, true)] as const),
  ...flags.map((flag) => [flag.name, describe(flag, false)] as const),
]

/** Arguments of several verbs with the same name: one property, which takes what any of them does. */
function merged(all: readonly (readonly [word: string, Described])[], total: number): JsonSchema {
  const texts = Map.groupBy(all, ([, { summary }]) => summary)
  const schemas = new Map(all.map(([, { schema }]) => [JSON.stringify(schema), schema]))
  const [schema = {}, ...otherSchemas] = schemas.values()
  const description = [...texts]
    .map(([summary, of]) =>
      of.length === total ? summary : `${of.map(([word]) => word).join(', ')}: ${summary}`,
    )
    .join('; ')
  const value = otherSchemas.length === 0 ? schema : { anyOf: [schema, ...otherSchemas] }
  return { ...value, description }
}

/** Properties that the tool adds to those of its verbs: in front of them, and behind. */
function ownProperties({ row, verbs }: Tool) {
  const { choice, document } = row
  const session = {
    type: 'string',
    description: 'name of session_start, control URL or its port (default: the only one here)',
  }
  return {
    ...(row.name === 'session_start'
      ? { name: { type: 'string', description: 'a name for the session (default: s1, s2 …)' } }
      : {}),
    ...(choice
      ? {
          [choice.name]: {
            type: 'string',
            enum: verbs.map(({ word }) => word),
            description: `${choice.summary}${choice.default === undefined ? '' : ` (default: ${choice.default})`}`,
          },
        }
      : {}),
    ...(document ? { [document.name]: { type: 'object', description: document.summary } } : {}),
    ...(verbs.some(({ hasSession }) => hasSession) ? { session } : {}),
  }
}

/** What must be there: the choice without a default, and the arguments that each verb requires. */
function requiredNames({ row: { choice }, verbs }: Tool): readonly string[] {
  const [first, ...others] = verbs.map(({ arguments: rows }) =>
    rows.flatMap(({ name, required }) => (required ? [name] : [])),
  )
  const always = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  return [...(choice && choice.default === undefined ? [choice.name] : []), ...always]
}

/** The names of a tool's arguments that are in its schema. */
export const inputNames = (tool: Tool): readonly string[] => Object.keys(inputProperties(tool))

function inputProperties(tool: Tool): JsonSchema {
  const { verbs } = tool
  const rows = verbs.flatMap((verb) =>
    describedBy(verb).map(([name, described]) => [name, verb.word, described] as const),
  )
  const byName = Map.groupBy(rows, ([name]) => name)
  return {
    ...ownProperties(tool),
    ...Object.fromEntries(
      [...byName].map(([name, all]) => [
        name,
        merged(
          all.map(([, word, described]) => [word, described] as const),
          verbs.length,
        ),
      ]),
    ),
  }
}

export function inputSchema(tool: Tool): JsonSchema {
  const required = requiredNames(tool)
  return {
    type: 'object',
    properties: inputProperties(tool),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}
