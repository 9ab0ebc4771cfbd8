import type { FilePlace } from "../../files/json/errors.ts";

/** How often something was found, and where first. */
export class CountedPlaces {
  count = 0;
  first: FilePlace | undefined;

  add(place: FilePlace, times = 1): void {
    this.count += times;
    this.first ??= place;
  }
}
