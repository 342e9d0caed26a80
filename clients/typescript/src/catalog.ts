// What the shop sells.
import type { BrowsePage, Category, Operations, Product, ProductPage, ProductsBrowseData, ProductsIndexData } from "./generated/index.js";

export class Catalog {
  constructor(private readonly operations: Operations) {}

  /** A page of products by name. */
  async products(query: ProductsIndexData["query"] = {}): Promise<ProductPage> {
    return this.operations.productsIndex({ query });
  }

  /** A page of products with facets to choose from. Facets are asked for by their `parameter`: `{"option.color": "sage"}`. */
  async browse(query: ProductsBrowseData["query"] & Record<string, unknown> = {}): Promise<BrowsePage> {
    return this.operations.productsBrowse({ query });
  }

  /** At most eight products, while somebody types. */
  async search(q: string): Promise<Product[]> {
    return (await this.operations.searchIndex({ query: { q } })).data;
  }

  async product(slug: string): Promise<Product> {
    return (await this.operations.productsShow({ path: { slug } })).data;
  }

  async categories(): Promise<Category[]> {
    return (await this.operations.categoriesIndex()).data;
  }
}
