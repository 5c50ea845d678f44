/** JSON of an OpenAPI document, and the shapes that most parts of one share. */

export type Json = Readonly<Record<string, unknown>>

/** A reference to a component. */
export const referenceTo = (section: string, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
})

/** A name with a capital first letter. */
export const capitalised = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** A name of words in capitals, such as an error code, as the name of a component: `NOT_FOUND` is `NotFound`. */
export const pascalCase = (code: string): string =>
  code.toLowerCase().split('_').map(capitalised).join('')

/** All references in a part of a document. */
export const referencesIn = (part: unknown): readonly string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target)
