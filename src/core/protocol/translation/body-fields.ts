/** The fields that the documents have in a body, as its schema names them: what a translation of it may name as ours. */
import type { z } from 'zod'
import { findClosestName } from '../closest-name.ts'
import { type BodyPath, parseBodyPath } from './body-path.ts'

/** What schemas of any kind have of other schemas. */
type Definition = Partial<
  Record<'element' | 'innerType' | 'in' | 'out' | 'left' | 'right' | 'valueType', z.ZodType>
> & {
  readonly options?: readonly z.ZodType[]
  readonly getter?: () => z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as Definition

/** A list of lists of unions is as deep as schemas of bodies are. */
const maxDepth = 12

/** The schemas that a value has to fit: of a list those of its entries, of a union those of its alternatives. */
function plainSchemas(schema: z.ZodType, depth = 0): readonly z.ZodType[] {
  const { element, innerType, left, right, options = [], getter, ...own } = definitionOf(schema)
  const inner = [element, innerType, own.in, own.out, left, right, ...options, getter?.()].filter(
    (each) => each !== undefined,
  )
  if (inner.length === 0 || depth > maxDepth) return [schema]
  return inner.flatMap((each) => plainSchemas(each, depth + 1))
}

/** The schemas of the members of one name, and all names there are. */
function membersNamed(schemas: readonly z.ZodType[], name: string) {
  const definitions = schemas.flatMap((each) => plainSchemas(each)).map(definitionOf)
  const shapes = definitions.map(({ shape }) => shape).filter((each) => each !== undefined)
  const others = definitions.map(({ valueType }) => valueType)
  const named = shapes.flatMap((shape) =>
    name === '*' ? Object.values(shape) : Object.hasOwn(shape, name) ? [shape[name]] : [],
  )
  return {
    found: [...named, ...others].filter((each) => each !== undefined),
    names: shapes.flatMap((shape) => Object.keys(shape)),
  }
}

/** Short names are near to all others. */
const minChars = 4

const closestOf = (name: string, names: readonly string[]): string | undefined =>
  name.length < minChars ? undefined : findClosestName(name, names)

/** The schemas at a path; where there are none, the path that is spelt most like it, if one is. */
function follow(
  schemas: readonly z.ZodType[],
  path: BodyPath,
): { readonly found: readonly z.ZodType[]; readonly closest?: string | undefined } {
  let found = schemas
  for (const [place, name] of path.entries()) {
    const members = membersNamed(found, name)
    if (members.found.length === 0) {
      const closest = closestOf(name, members.names)
      return { found: [], closest: closest && path.with(place, closest).join('.') }
    }
    found = members.found
  }
  return { found }
}

/** Words of ours that the documents name for a value; none where they name none. */
const wordsIn = (schemas: readonly z.ZodType[]): readonly string[] =>
  schemas
    .flatMap((each) => [each, ...plainSchemas(each)])
    .flatMap((schema) => {
      const { entries = {}, values = [] } = definitionOf(schema)
      const known: unknown = schema.meta()?.['x-extensible-enum']
      return [...Object.values(entries), ...values, ...(Array.isArray(known) ? known : [])]
    })
    .filter((each) => typeof each === 'string')

/** The bodies that a translation is of, as the schemas of the objects that it changes. */
export class TranslatedBodies {
  readonly #objects: readonly (readonly z.ZodType[])[]

  constructor(bodies: readonly z.ZodType[], at: readonly string[]) {
    this.#objects = bodies.flatMap((body) =>
      at.map((each) => follow([body], parseBodyPath(each)).found),
    )
  }

  /** The name that was probably meant by a path that none of the bodies has; undefined where one has it, or none is near. */
  closestField(path: string): string | undefined {
    const all = this.#objects.map((each) => follow(each, parseBodyPath(path)))
    return all.some(({ found }) => found.length > 0)
      ? undefined
      : all.find(({ closest }) => closest !== undefined)?.closest
  }

  /** The same of a word of ours in a field. */
  closestWord(path: string, word: string): string | undefined {
    const known = this.#objects.flatMap((each) => wordsIn(follow(each, parseBodyPath(path)).found))
    return known.includes(word) ? undefined : closestOf(word, known)
  }
}
