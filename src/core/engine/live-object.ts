/**
 * An object whose members are those of another one at each use. Code that keeps a reference to it sees what its source has
 * become.
 */
export const liveObject = <Value extends object>(current: () => Value): Value =>
  new Proxy(Object.create(null) as Value, {
    get: (_, key) => Reflect.get(current(), key) as unknown,
    has: (_, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(current(), key)
      // The target of a proxy must have what is not configurable.
      return found && { ...found, configurable: true }
    },
  })
