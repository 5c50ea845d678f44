/** The text as one of the values that it may be: `oneOf(orderStatuses, 'READY')`; any other is refused. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value {
  const found = values.find((each) => each === text)
  if (found === undefined) throw new Error(`${text} is none of ${values.join(', ')}`)
  return found
}
