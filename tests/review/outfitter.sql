create table staff (
    id integer primary key, first_name text not null, last_name text not null,
    hire_date date, birth_date date, reports_to integer references staff (id)
);
create table customers (
    id integer primary key, name text not null, country text, company text, active integer,
    agent_id integer references staff (id)
);
create table categories (id integer primary key, name text not null);
create table products (
    id integer primary key, name text not null, category_id integer references categories (id),
    price decimal(10, 2), duration_minutes integer, max_load_kg integer, mean_load_kg integer
);
create table orders (
    id integer primary key, customer_id integer references customers (id),
    ordered_on date, shipped_on date, status text, total decimal(10, 2)
);
create table lines (
    id integer primary key, order_id integer references orders (id), product_id integer references products (id),
    quantity integer, unit_price decimal(10, 2)
);
insert into staff values
    (1, 'Nina', 'Holt', '2001-04-01', '1960-02-03', null), (2, 'Marc', 'Ives', '2003-05-01', '1971-08-09', 1),
    (3, 'Tom', 'Reed', '2010-06-01', '1985-12-24', 1);
insert into customers values
    (1, 'Alma Berg', 'Canada', 'Berg Ltd', 1, 2), (2, 'Ugo Conti', 'Italy', null, 0, 3),
    (3, 'Wen Dai', 'Canada', null, 1, 2);
insert into categories values (1, 'Tents'), (2, 'Boots'), (3, 'Courses');
insert into products values
    (1, 'Ridge Tent', 1, 210.00, null, 5, 3), (2, 'Trail Boot', 2, 95.50, null, 2, 1),
    (3, 'Knot Course', 3, 40.00, 90, null, null);
insert into orders values
    (1, 1, '2023-03-05', '2023-03-08', 'shipped', 305.50), (2, 1, '2023-07-01', null, 'open', 40.00),
    (3, 2, '2024-03-10', '2024-03-11', 'shipped', 95.50), (214, 3, '2024-05-02', null, 'open', 210.00);
insert into lines values
    (1, 1, 1, 1, 210.00), (2, 1, 2, 1, 95.50), (3, 2, 3, 1, 40.00), (4, 3, 2, 1, 95.50), (5, 214, 1, 1, 210.00);
