/** What the service does once per order inside, by kind, and how it is counted: by a path of the service, or by a command. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'

/** `/probe/orders/{orderId}/effects`, also with the method before it. */
const pathPattern = /^(?:GET +)?(\/\S*\{orderId\}\S*)$/
/** A text that was meant as a path. */
const nearlyPath = /^(?:GET\s|\/\S*$)/

const why = {
  placeholder:
    'nothing is put into the text of a command; it finds the order in $SPARRING_ORDER_ID, its number in $SPARRING_DISPLAY_ID',
  path: 'a path has {orderId} in it, such as /probe/orders/{orderId}/effects; a command that has no arguments is { command: … }',
}

const Command = z
  .string()
  .min(1)
  .refine((text) => !text.includes('{orderId}'), why.placeholder)
  .describe(
    'a command of the shell that prints the number; the order is in SPARRING_ORDER_ID, SPARRING_DISPLAY_ID and SPARRING_EFFECT (the kind)',
  )

const Path = z
  .string()
  .regex(pathPattern, why.path)
  .describe(
    'a path of your service: a GET of it returns {"tickets": 1}, each kind by its name, or the number alone; 404 is none',
  )

const Source = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    if (pathPattern.test(text)) return
    const message = nearlyPath.test(text)
      ? why.path
      : text.includes('{orderId}')
        ? why.placeholder
        : undefined
    if (message !== undefined) context.issues.push({ code: 'custom', input: text, message })
  })

const EffectOptions = strictObject(() => ({
  path: Path.optional(),
  command: Command.optional(),
  mayRepeat: z.boolean().default(false).describe('an order may have more than one of this kind'),
  evenIfCancelled: z
    .boolean()
    .default(false)
    .describe(
      'an order that was cancelled before may have it too, as a row that is kept of each order received',
    ),
})).refine(
  ({ path, command }) => (path === undefined) !== (command === undefined),
  'it has either a path or a command',
)

export const Effects = z
  .record(z.string(), z.union([Source, EffectOptions]))
  .superRefine((effects, context) => {
    for (const name of Object.keys(effects))
      if (!/^[A-Za-z][\w-]*$/.test(name))
        context.issues.push({
          code: 'custom',
          input: effects[name],
          path: [name],
          message: 'a kind is one word, such as tickets',
        })
  })
  .optional()
  .describe(
    'what your service does once per order, by kind, and how it is counted: a path of your service with {orderId}, or a command (docs/effects.md)',
  )
  .meta({ examples: [{ tickets: '/probe/orders/{orderId}/effects' }] })

export interface EffectKind {
  readonly name: string
  readonly mayRepeat: boolean
  readonly evenIfCancelled: boolean
}

/** How one or more kinds are counted: one path for several is asked once. */
export type EffectSource = { readonly kinds: readonly EffectKind[] } & (
  | { readonly path: string }
  | { readonly command: string }
)

/** The sources of a configuration, each with its kinds. */
export function effectSources(effects: z.output<typeof Effects>): readonly EffectSource[] {
  const byPath = new Map<string, EffectKind[]>()
  const commands: EffectSource[] = []
  for (const [name, source] of Object.entries(effects ?? {})) {
    const isText = typeof source === 'string'
    const { mayRepeat, evenIfCancelled } = isText
      ? { mayRepeat: false, evenIfCancelled: false }
      : source
    const kind = { name, mayRepeat, evenIfCancelled }
    const text = isText ? source : (source.path ?? source.command ?? '')
    const path = isText || source.path !== undefined ? pathPattern.exec(text)?.[1] : undefined
    if (path === undefined) commands.push({ kinds: [kind], command: text })
    else byPath.set(path, [...(byPath.get(path) ?? []), kind])
  }
  return [...Array.from(byPath, ([path, kinds]) => ({ path, kinds })), ...commands]
}
