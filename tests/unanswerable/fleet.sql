CREATE TABLE vehicle(vehicle_id INTEGER PRIMARY KEY, plate VARCHAR(12) NOT NULL, model VARCHAR(40) NOT NULL, year INTEGER NOT NULL, fuel_type VARCHAR(12) NOT NULL, capacity_kg INTEGER NOT NULL);
CREATE TABLE driver(driver_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, licence_class VARCHAR(4) NOT NULL, city VARCHAR(40) NOT NULL);
CREATE TABLE trip(trip_id INTEGER PRIMARY KEY, vehicle_id INTEGER NOT NULL REFERENCES vehicle(vehicle_id), driver_id INTEGER NOT NULL REFERENCES driver(driver_id), started_on DATE NOT NULL, distance_km INTEGER NOT NULL, cargo_kg INTEGER NOT NULL);
INSERT INTO vehicle VALUES (1,'KR 204','Atlas 7','2017','diesel',7500),(2,'KR 311','Atlas 12','2020','diesel',12000),(3,'WA 090','Swift Van','2021','electric',1200);
INSERT INTO driver VALUES (1,'Olga Reis','C','Krakow'),(2,'Paul Mensah','C1','Warsaw'),(3,'Jiri Havel','B','Brno');
INSERT INTO trip VALUES (1,1,1,'2023-03-02',310,5200),(2,2,1,'2023-03-09',540,9800),(3,3,3,'2023-03-10',85,700),(4,1,2,'2023-04-01',295,6100),(5,2,2,'2023-04-18',610,11500);
