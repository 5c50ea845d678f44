/** What the service does once per order inside, by kind, and how it is counted: by a path of the service, or by a command. */
import { z } from 'zod'
import type { EffectCount } from '../../rules/invariants/tracking/tracker-state.ts'
import { strictObject } from '../../base/lazy-object.ts'

/** `/probe/orders/{orderId}/effects`, also with the method before it. */
const pathPattern = /^(?:GET +)?(\/\S*\{orderId\}\S*)$/
/** What was meant as a path. */
const nearlyPath = /^(?:GET\s|\/\S*$)/

const pathNeeds =
  'a path has {orderId} in it, such as /probe/orders/{orderId}/effects; a command that has no arguments is { command: … }'
const commandNeeds =
  'nothing is put into the text of a command; it finds the order in $SPARRING_ORDER_ID, its number in $SPARRING_DISPLAY_ID'

const isCommand = (text: string): boolean => !text.includes('{orderId}')
const pathIn = (text: string): string | undefined => pathPattern.exec(text)?.[1]

const text = z.string().min(1)

const Source = text
  .refine((each) => pathIn(each) !== undefined || !nearlyPath.test(each), pathNeeds)
  .refine((each) => nearlyPath.test(each) || isCommand(each), commandNeeds)
  .transform((each) => {
    const path = pathIn(each)
    const source = path === undefined ? { command: each } : { path }
    return { mayRepeat: false, evenIfCancelled: false, ...source }
  })

const EffectOptions = strictObject(() => ({
  path: text
    .regex(pathPattern, pathNeeds)
    .optional()
    .describe(
      'a path of your service: a GET of it returns {"tickets": 1}, each kind by its name, or the number alone; 404 is none',
    ),
  command: text
    .refine(isCommand, commandNeeds)
    .optional()
    .describe(
      'a command of the shell that prints the number; SPARRING_ORDER_ID, SPARRING_DISPLAY_ID and SPARRING_EFFECT are set',
    ),
  mayRepeat: z.boolean().default(false).describe('an order may have more than one of this kind'),
  evenIfCancelled: z
    .boolean()
    .default(false)
    .describe('an order that was cancelled before may have it too: a row of each order received'),
})).refine(
  ({ path, command }) => (path === undefined) !== (command === undefined),
  'it has either a path or a command',
)

export const Effects = z
  .record(z.string(), z.union([Source, EffectOptions]))
  .optional()
  .describe(
    'what your service, a software-service, does once per order, by kind, and how it is counted: a path of your service with {orderId}, or a command (docs/effects.md)',
  )
  .meta({ example: { tickets: '/probe/orders/{orderId}/effects' } })

/** How one or more kinds are counted: one path for several is asked once. */
export interface EffectSource {
  readonly path?: string | undefined
  readonly command?: string | undefined
  readonly kinds: readonly Omit<EffectCount, 'count'>[]
}

/** The sources of a configuration, each with its kinds. */
export function effectSources(effects: z.output<typeof Effects> = {}): readonly EffectSource[] {
  const all = Object.entries(effects).map(([kind, { path, command, ...options }]) => ({
    source: path === undefined ? { command } : { path: pathIn(path) },
    kind: { kind, ...options },
  }))
  const groups = Map.groupBy(all, ({ source, kind }) => source.path ?? kind)
  return Array.from(groups.values(), (group) => ({
    ...group[0]?.source,
    kinds: group.map(({ kind }) => kind),
  }))
}
