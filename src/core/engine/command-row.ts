/**
 * The row of a command: its fields as a schema, its text, and the order it concerns. Its decision stands in a table of the
 * same kinds, since decisions know the world, whose agenda holds commands.
 */
import { z } from 'zod'
import { eventTitle } from '../protocol/event-types.ts'
import type { Announcement, AnnouncementsWorld } from './announcements/announcement.ts'
import type { OutgoingCall } from './calls/call.ts'
import type { EmittedEvent } from './emitted-event.ts'

/** The part of the world that the ids in a command refer to. */
export interface References {
  readonly ordering: { readonly events: ReadonlyMap<string, EmittedEvent> }
  readonly announcements: AnnouncementsWorld
  readonly calls: ReadonlyMap<number, OutgoingCall>
}

/** Schemas of the fields, made when first needed: a start needs none of them. */
type Shape = () => Readonly<Record<string, z.ZodType>>

type Frozen<Value> = Value extends readonly (infer Element)[] ? readonly Element[] : Value

type Output<S extends Shape> = z.output<z.ZodObject<ReturnType<S>>>

/**
 * The type of a command's fields, by their schemas; `as` leaves out the index that zod gives an object without fields.
 */
type FieldsOf<S extends Shape> = {
  readonly [Field in keyof Output<S> as Field & keyof ReturnType<S>]: Frozen<Output<S>[Field]>
}

export interface CommandRow<Fields, S extends Shape = Shape> {
  readonly shape: S
  /** Short text, for agenda rows and refusals. */
  text(command: Fields, references: References): string
  /** Order id; when absent, that of the field `orderId`. */
  orderId?(command: Fields, references: References): string | undefined
}

/** A command whose type follows from its schemas. */
export const commandRow = <const S extends Shape>(
  row: CommandRow<FieldsOf<S>, S>,
): CommandRow<FieldsOf<S>, S> => row

/** The event of an id, of any capability. */
export const eventById = (
  eventId: string,
  { ordering, announcements }: Pick<References, 'ordering' | 'announcements'>,
): EmittedEvent | Announcement | undefined =>
  ordering.events.get(eventId) ?? announcements.events.get(eventId)

/** The type of an event, and what it is about where its body says that; the id of an unknown event. */
export function titleOfEvent(eventId: string, references: References): string | undefined {
  const event = eventById(eventId, references)
  return event && 'body' in event ? (eventTitle(event.body) ?? event.eventType) : event?.eventType
}

/** The commands of a table of rows. */
export type CommandIn<Rows> = {
  readonly [Kind in keyof Rows]: Rows[Kind] extends CommandRow<infer Fields>
    ? WithKind<Kind, Fields>
    : never
}[keyof Rows]

/** The fields of a command or a fact with its kind, as one readonly object. */
export type WithKind<Kind, Fields> = Flat<{ readonly kind: Kind } & Fields>

type Flat<Value> = { readonly [Key in keyof Value]: Value[Key] }

/** The schema of any command of a table. */
export function commandSchema<Rows extends Readonly<Record<string, { readonly shape: Shape }>>>(
  rows: Rows,
): z.ZodType<CommandIn<Rows>> {
  const [first, ...rest] = Object.entries(rows).map(([kind, { shape }]) =>
    z.strictObject({ kind: z.literal(kind), ...shape() }),
  )
  if (!first) throw new Error('a table of commands has no row')
  const schema: z.ZodType = z.discriminatedUnion('kind', [first, ...rest])
  // Each row's schemas are those of its type.
  return schema as z.ZodType<CommandIn<Rows>>
}

/** Fields that many commands share. */
export const idField = z.string().min(1).max(200)
export const trueField = z.exactOptional(z.literal(true))
export const numberField = z.int().min(1)
export const idsField = z.array(idField).max(2000)
export const metadataField = z.exactOptional(z.record(z.string(), z.unknown()))
