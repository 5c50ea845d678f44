/** Members that may be undefined become optional; all others stay as they are. */
type Compact<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key]
} & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<
    Value[Key],
    undefined
  >
}

/** The object without its undefined members: under `exactOptionalPropertyTypes` an optional member is absent, never undefined. */
export function compact<const Value extends object>(value: Value): Compact<Value> {
  const kept: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) if (each !== undefined) kept[key] = each
  return kept as Compact<Value>
}
