create table regions (id integer primary key, region_name text not null);
create table parties (id integer primary key, party_name text not null, region_id integer references regions (id));
create table persons (id integer primary key, name text not null, height real, home_town text);
create table climbers (
    person_id integer primary key references persons (id), total_points integer, prize_money decimal(10, 2)
);
create table camps (id integer primary key, name text not null);
create table storms (id integer primary key, name text not null, camp_id integer references camps (id));
insert into camps values (1, 'High camp');
insert into storms values (1, 'Old Hag', 1);
create table depots (id integer primary key, name text not null);
create table depot_contents (
    id integer primary key, depot_id integer references depots (id), depot_item_name text not null, stocked integer
);
create table grants (
    id integer primary key, amount_claimed decimal(10, 2), amount_settled decimal(10, 2)
);
create table orders (id integer primary key, placed_on date);
create table parcels (id integer primary key, order_id integer references orders (id), sent_on date);
create table wares (id integer primary key, ware_kind text, ware_price decimal(10, 2), length_cm integer);
create table harbours (id integer primary key, name text not null, callsign text);
create table routes (id integer primary key, harbour_id integer references harbours (id));
create table plays (id integer primary key, title text not null);
create table books (id integer primary key, title text not null);
create table troupes (
    id integer primary key, play_id integer references plays (id), book_id integer references books (id), seat text
);
insert into regions values (1, 'Two'), (2, 'Fell');
insert into parties values (1, 'North Face', 1), (2, 'Col', 2);
insert into persons values (1, 'Ila', 1.9, 'Arden'), (2, 'Bo', 1.7, 'Brock');
insert into climbers values (1, 12, 300.00);
insert into depots values (1, 'Lower'), (2, 'Upper');
insert into depot_contents values (1, 1, 'Rope', 4), (2, 2, 'Axe', 2);
insert into grants values (1, 100.00, 80.00);
insert into orders values (1, '2022-05-06'), (2, '2022-06-07');
insert into parcels values (1, 2, '2022-06-09'), (2, 1, '2022-06-10');
insert into wares values (1, 'oak', 12.00, 40), (2, 'ash', 30.00, 90);
insert into harbours values (1, 'Skerry', 'Old Nordic'), (2, 'Fleet', 'Southern');
insert into routes values (1, 1), (2, 2);
insert into plays values (1, 'The Ridge');
insert into books values (1, 'Down Again');
insert into troupes values (1, 1, 1, 'Arden');
create table racks (id integer primary key, depot_id integer references depots (id), ropes_free integer);
create table ropes (id integer primary key, rack_id integer references racks (id));
insert into racks values (1, 1, 4), (2, 2, 6);
insert into ropes values (1, 1), (2, 2);
create table guests (id integer primary key, name text not null);
create table bookings (id integer primary key, guest_id integer references guests (id), booked_on date);
create table stays (id integer primary key, guest_id integer references guests (id), stay_end date);
insert into guests values (1, 'Mo');
insert into bookings values (1, 1, '2022-01-02');
insert into stays values (1, 1, '2022-02-03');
