/** Leaves out what was not given: types that say "may be absent" mean absent, not undefined. */
export const given = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }
