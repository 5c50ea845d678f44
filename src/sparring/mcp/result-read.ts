/** The tool that reads on in a result of which another tool has shown a part. */
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { boundValue } from './bounded-value.ts'
import type { ToolOutcome } from './call-tool.ts'
import type { ResultStore } from './result-store.ts'

const maxChars = 24_000
const defaultEntries = 20
const defaultChars = 8000

export const resultReadTool = {
  name: 'result_read',
  description:
    'Read on in a long result of another tool, which has answered with its number and the paths where something was left out.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'integer', minimum: 1, description: 'the number of the result' },
      path: {
        type: 'string',
        description: 'JSON Pointer of the part, such as /runs/3/journal (default: the whole)',
      },
      offset: {
        type: 'integer',
        minimum: 0,
        description: 'first entry of a list, or character of a text (default: 0)',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        description: `how many entries of a list (default: ${defaultEntries}) or characters of a text (default: ${defaultChars})`,
      },
    },
    required: ['result'],
    additionalProperties: false,
  },
} as const

const names = Object.keys(resultReadTool.inputSchema.properties)

function wholeNumber(name: string, value: unknown, min: number): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  throw problem(
    'calling result_read',
    `${name} is ${JSON.stringify(value)}`,
    `It must be a whole number from ${min} up.`,
  )
}

function readPart(input: unknown, results: ResultStore): ToolOutcome {
  const request = isUnknownRecord(input) ? input : {}
  const unknown = Object.keys(request).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw problem(
      'calling result_read',
      `it has no argument "${unknown}"`,
      `It has ${names.join(', ')}.`,
    )
  const result = wholeNumber('result', request['result'], 1)
  if (result === undefined)
    throw problem('calling result_read', 'result is missing', 'It is the number of a result.')
  const { path = '' } = request
  if (typeof path !== 'string')
    throw problem('calling result_read', `path is ${JSON.stringify(path)}`, 'It must be text.')
  const offset = wholeNumber('offset', request['offset'], 0) ?? 0
  const limit = wholeNumber('limit', request['limit'], 1)
  const isText = typeof results.read(result, path, 0, 1).value === 'string'
  const part = results.read(result, path, offset, limit ?? (isText ? defaultChars : defaultEntries))
  const { value, cuts } = boundValue(part.value, maxChars)
  return {
    ok: true,
    answer: {
      exit: 0,
      meaning: part.of === undefined ? 'read' : `from ${part.offset ?? 0}, of ${part.of}`,
      result: value,
      ...(cuts.length === 0
        ? {}
        : {
            more: {
              result,
              cuts: cuts
                .slice(0, 10)
                .map((cut) => ({ ...cut, path: `${path === '/' ? '' : path}${cut.path}` })),
              sentence: 'This is a part: read on by a longer path, or by offset and limit.',
            },
          }),
    },
  }
}

/** Calls the tool; what is wrong is an outcome with a sentence. */
export function callResultRead(input: unknown, results: ResultStore): ToolOutcome {
  try {
    return readPart(input, results)
  } catch (error) {
    if (error instanceof Problem) return { ok: false, message: error.message }
    throw error
  }
}
